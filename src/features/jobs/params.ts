import { Compile, type Validator } from 'typebox/compile';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { JobAction } from '../../site/job-actions.ts';
import type { Site } from '../../site/site.ts';

/** Params are copied into every job of a scheduled job, and shown in lists of jobs. */
const MOST_BYTES = 16 * 1024;

const compiled = new WeakMap<JobAction, Validator>();

function validatorFor(action: JobAction): Validator {
  const { properties, required } = action.schema;
  const known = compiled.get(action) ?? Compile({ type: 'object', properties, required, additionalProperties: false });
  compiled.set(action, known);
  return known;
}

/** Where the schema wants a list, a single value stands for the list of it: Nick sends `{"type": "Event"}`. */
const withLists = ({ schema }: JobAction, params: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isList = Object.hasOwn(schema.properties, name) && schema.properties[name]?.type === 'array';
      return [name, isList && typeof value === 'string' ? [value] : value];
    }),
  );

/** What is wrong with params, each problem with its field below `params`. */
function problemsOf(action: JobAction, params: JsonObject, site: Site): FieldProblem[] {
  if (Buffer.byteLength(JSON.stringify(params)) > MOST_BYTES)
    return [{ field: 'params', message: `must have at most ${MOST_BYTES} bytes` }];
  const validator = validatorFor(action);
  if (!validator.Check(params)) {
    return validator
      .Errors(params)
      .slice(0, 20)
      .map(({ instancePath, message }) => ({ field: `params${instancePath.replaceAll('/', '.')}`, message }));
  }
  return (action.check?.(params, site) ?? []).map(({ field, message }) => ({
    field: field === undefined ? 'params' : `params.${field}`,
    message,
  }));
}

/** The params of a job as its action takes them. Throws ValidationFailed with each field that does not fit its schema. */
export function readParams(action: JobAction, params: JsonObject, site: Site): JsonObject {
  const read = withLists(action, params);
  const problems = problemsOf(action, read, site);
  if (problems.length > 0) throw new ValidationFailed(problems);
  return read;
}
