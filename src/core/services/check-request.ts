import type { TSchema } from 'typebox';
import { ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { type Checked, PartCheck } from '../../lib/schema/check-part.ts';
import { type ParameterParser, parameterParser, textsIn } from '../../lib/schema/parse-parameters.ts';
import { fieldProblem, problemsError } from '../../lib/schema/schema-problems.ts';
import type { ParamsOf, RequestContext, RequestDeclaration, ValueOf } from './service.ts';

/** The checks of one service: the parts of its address, its query, its body, and its own `check`. */
export class RequestCheck<Form extends string, Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly #declaration: RequestDeclaration<Form, Params, Query, Body>;
  readonly #params: PartCheck<ParamsOf<Form, Params>>;
  readonly #query: PartCheck<ValueOf<Query>>;
  readonly #body: PartCheck<ValueOf<Body>>;
  #parseParams: ParameterParser | undefined;
  #parseQuery: ParameterParser | undefined;

  constructor(declaration: RequestDeclaration<Form, Params, Query, Body>) {
    this.#declaration = declaration;
    this.#params = new PartCheck(declaration.params, { others: 'kept' });
    this.#query = new PartCheck(declaration.query, { others: 'left out' });
    this.#body = new PartCheck(declaration.body, { others: 'refused' });
  }

  /**
   * The request with its parts as their schemas type them. Throws ValidationFailed with all problems, or BadRequest with the text of the first
   * failing schema that has the keyword `reject`.
   */
  async check(context: RequestContext): Promise<RequestContext<ParamsOf<Form, Params>, ValueOf<Query>, ValueOf<Body>>> {
    const params = this.#params.check(this.#parsedParams(context.params));
    const query = this.#query.check(this.#parsedQuery(context.searchParams));
    const body = this.#body.check(context.body);
    const problems = [...(params.problems ?? []), ...(query.problems ?? []), ...(body.problems ?? [])];
    const { check, errorType } = this.#declaration;
    if (problems.some(({ rejects }) => rejects)) throw problemsError(problems, errorType);
    const more = check
      ? await check(context, { params: rightIn(params), query: rightIn(query), body: rightIn(body) })
      : [];
    if (!('value' in params && 'value' in query && 'value' in body) || more.length > 0)
      throw new ValidationFailed([...problems.map(fieldProblem), ...more], errorType);
    return { ...context, params: params.value, query: query.value, body: body.value };
  }

  #parsedParams(params: Readonly<JsonObject>): JsonObject {
    const schema = this.#declaration.params;
    if (!schema) return params;
    this.#parseParams ??= parameterParser(schema);
    const textsOf = (name: string) => (Object.hasOwn(params, name) ? [String(params[name])] : []);
    return { ...params, ...this.#parseParams(textsOf) };
  }

  #parsedQuery(searchParams: URLSearchParams): JsonObject {
    const schema = this.#declaration.query;
    if (!schema) return {};
    this.#parseQuery ??= parameterParser(schema);
    return this.#parseQuery(textsIn(searchParams));
  }
}

/** The members of a part that have passed the check. */
const rightIn = <Value>(part: Checked<Value>): Partial<Value> => ('value' in part ? part.value : part.fitting);
