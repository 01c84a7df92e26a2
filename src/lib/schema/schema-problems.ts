import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Errors } from 'typebox/value';
import { BadRequest, type ClientError, type FieldProblem, ValidationFailed } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { requiredIn } from './fill-defaults.ts';

/**
 * A problem of a value under a schema. `member` is the affected member of the whole; it is absent for a rule about the whole. `rejects` is true if
 * the message becomes that of the entire response (keyword `reject`).
 */
export type SchemaProblem = FieldProblem & { member?: string; rejects?: true };

/** The error for a request with these problems, of the type `type`: the text of the first problem with `rejects`, else all problems. */
export function problemsError(problems: readonly SchemaProblem[], type?: string): ClientError {
  const rejection = problems.find(({ rejects }) => rejects);
  return rejection ? new BadRequest(rejection.message, type) : new ValidationFailed(problems.map(fieldProblem), type);
}

/** A problem in the form of responses. */
export const fieldProblem = ({ field, message }: FieldProblem): FieldProblem =>
  field === undefined ? { message } : { field, message };

/** One more than a response names, so that the response can report further problems. */
export const MAX_PROBLEMS = 51;

/** Message of typebox for a refinement without a text of its own. */
const UNTOLD = 'Refine Error';

/** A schema on the path from the whole to the failed schema, and the number of segments of the value's path above it. */
type Step = { schema: JsonObject; depth: number };

/** The message of a schema for a value that does not fit it. */
type Speech = { text: string; rejects: boolean };

/**
 * Returns the problems of a value that does not fit a schema, each with its field (`address.city`, `tags.0`). Problems of every member are returned;
 * rules about the whole are checked only if no member has a problem, because they may depend on valid members.
 *
 * The text of a problem comes from the failed refinement, else from the keyword `message` or `reject` of the failed schema, else from the nearest
 * schema around it with such a keyword (which then stands for everything inside), else from the validator. The text of a union goes before the texts
 * of its variants. A missing member `is required` unless its own schema has a text for the keyword `required`. Problems of members that no schema
 * names come from `unknownMembers`.
 */
export function schemaProblems(schema: TSchema, value: unknown): SchemaProblem[] {
  const root: unknown = schema;
  if (!isJsonObject(root)) return [];
  const problems = isJsonObject(value) && isJsonObject(root.properties) ? memberProblems(root, value) : [];
  return unique(problems.length > 0 ? problems : told(root, Errors(schema, value), [])).slice(0, MAX_PROBLEMS);
}

/** Collects the problems of each member separately, because the validator stops after eight problems. */
function memberProblems(root: JsonObject, value: JsonObject): SchemaProblem[] {
  const required = requiredIn(root);
  return Object.entries(isJsonObject(root.properties) ? root.properties : {}).flatMap(([name, member]) => {
    if (!isJsonObject(member)) return [];
    if (Object.hasOwn(value, name)) return told(member, Errors(member, value[name]), [name]);
    return required.includes(name) ? [missing(member, [name])] : [];
  });
}

/** Errors of the validator as problems; `path` is the place of the value in the whole. */
function told(
  root: JsonObject,
  errors: readonly TLocalizedValidationError[],
  path: readonly string[],
): SchemaProblem[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors
    .filter((error) => !isUnknownKey(error))
    .filter((error) => !unions.some((union) => isMerged(root, union, error, errors)))
    .flatMap((error) => {
      const at = [...path, ...segmentsOf(error.instancePath)];
      if (error.keyword === 'required') return missingMembers(root, error, at);
      return [problemOf(root, error, at, path.length)];
    });
}

/** True for the error of a member that a closed object does not declare, or of the schema `false` of such a member. */
const isUnknownKey = ({ keyword }: TLocalizedValidationError): boolean =>
  keyword === 'boolean' || keyword === 'additionalProperties';

/**
 * True if an error is merged into another one. In a union without a text of its own the errors of the variants are reported, except the error of a
 * variant that takes null.
 */
function isMerged(
  root: JsonObject,
  union: TLocalizedValidationError,
  error: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): boolean {
  const within = (other: TLocalizedValidationError) =>
    other.schemaPath.startsWith(`${union.schemaPath}/${union.keyword}/`);
  const speaks = speechOf(stepsTo(root, union.schemaPath).at(-1)?.schema, union.keyword) !== undefined;
  if (speaks) return within(error);
  const isNull = (other: TLocalizedValidationError) => other.keyword === 'type' && other.params.type === 'null';
  const variants = errors.filter((other) => within(other) && !isNull(other));
  return variants.length > 0 && (error === union || (within(error) && isNull(error)));
}

function problemOf(
  root: JsonObject,
  error: TLocalizedValidationError,
  at: readonly string[],
  above: number,
): SchemaProblem {
  const steps = stepsTo(root, error.schemaPath);
  const { schema } = steps.at(-1) ?? {};
  const own = speechOf(schema, error.keyword);
  if (error.keyword === '~refine' && error.message !== UNTOLD)
    return problem(at, { text: error.message, rejects: schema?.reject !== undefined });
  if (own) return problem(at, own);
  const around = steps.slice(0, -1).findLast(({ schema }) => typeof spokenBy(schema)?.[1] === 'string');
  const speech = around && speechOf(around.schema, error.keyword);
  return speech
    ? problem(at.slice(0, above + around.depth), speech)
    : problem(at, { text: error.message, rejects: false });
}

/** A problem for each member that is missing somewhere below the whole. */
function missingMembers(root: JsonObject, error: TLocalizedValidationError, at: readonly string[]): SchemaProblem[] {
  const names = error.keyword === 'required' ? error.params.requiredProperties : [];
  const { properties } = stepsTo(root, error.schemaPath).at(-1)?.schema ?? {};
  return names.map((name) => missing(isJsonObject(properties) ? properties[name] : undefined, [...at, name]));
}

function missing(schema: unknown, at: readonly string[]): SchemaProblem {
  const spoken = isJsonObject(schema) ? spokenBy(schema) : undefined;
  const text = isJsonObject(spoken?.[1]) ? spoken[1].required : undefined;
  if (typeof text === 'string') return problem(at, { text, rejects: spoken?.[0] === 'reject' });
  return problem(at, { text: 'is required', rejects: false });
}

function problem(at: readonly string[], { text, rejects }: Speech): SchemaProblem {
  const [member] = at;
  return {
    ...(member === undefined ? {} : { field: at.join('.'), member }),
    message: text,
    ...(rejects ? { rejects } : {}),
  };
}

/** The keyword with the message of a schema, and its value: a text, or texts by the failed keyword. */
function spokenBy(schema: JsonObject): ['message' | 'reject', unknown] | undefined {
  if (schema.reject !== undefined) return ['reject', schema.reject];
  return schema.message === undefined ? undefined : ['message', schema.message];
}

/** The message of a schema when one of its keywords fails. */
function speechOf(schema: JsonObject | undefined, keyword: string): Speech | undefined {
  const spoken = schema && spokenBy(schema);
  if (!spoken) return undefined;
  const [key, texts] = spoken;
  const text = isJsonObject(texts) ? (texts[keyword] ?? texts.other) : texts;
  return typeof text === 'string' ? { text, rejects: key === 'reject' } : undefined;
}

const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Keywords in a schema's path that are followed by a name; true if they lead into the value. */
const NAMED: Readonly<Record<string, boolean>> = {
  properties: true,
  patternProperties: true,
  prefixItems: true,
  anyOf: false,
  oneOf: false,
  allOf: false,
  dependentSchemas: false,
};
const INTO = new Set(['items', 'additionalProperties', 'contains', 'unevaluatedItems', 'unevaluatedProperties']);

/** The schemas from the whole to the schema at `path`, such as `#/properties/a/items`. */
function stepsTo(root: JsonObject, path: string): Step[] {
  const steps: Step[] = [{ schema: root, depth: 0 }];
  const segments = segmentsOf(path);
  for (let i = 0; i < segments.length; i += 1) {
    const keyword = segments[i] ?? '';
    const last = steps.at(-1);
    if (!last) break;
    let found = last.schema[keyword];
    let depth = last.depth + (INTO.has(keyword) ? 1 : 0);
    if (Object.hasOwn(NAMED, keyword)) {
      i += 1;
      const name = segments[i] ?? '';
      found = Array.isArray(found) ? found[Number(name)] : isJsonObject(found) ? found[name] : undefined;
      depth += NAMED[keyword] ? 1 : 0;
    }
    if (!isJsonObject(found)) break;
    steps.push({ schema: found, depth });
  }
  return steps;
}

function unique(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const known = new Map(problems.map((one) => [`${one.field} ${one.message}`, one]));
  return [...known.values()];
}
