import { Check, Errors } from 'typebox/value';
import type { JobAction } from '../../kernel/kernel.ts';
import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Site } from '../../site/site.ts';

/** Largest params as JSON: they are copied into every job of a scheduled job and shown in lists of jobs. */
const MAX_PARAMS_BYTES = 16 * 1024;

/** Turns single texts into lists of one where the schema has a list: Nick sends `{"type": "Event"}`. */
const withLists = ({ schema }: JobAction, params: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isList = Object.hasOwn(schema.properties, name) && schema.properties[name]?.type === 'array';
      return [name, isList && typeof value === 'string' ? [value] : value];
    }),
  );

/** The problems of params, each with its field below `params`. */
function problemsOf(action: JobAction, params: JsonObject, site: Site): FieldProblem[] {
  if (Buffer.byteLength(JSON.stringify(params)) > MAX_PARAMS_BYTES)
    return [{ field: 'params', message: `must have at most ${MAX_PARAMS_BYTES} bytes` }];
  const { properties, required } = action.schema;
  // Jobs are too rare for a compiled validator.
  const schema = { type: 'object', properties, required, additionalProperties: false };
  if (!Check(schema, params)) {
    return Errors(schema, params)
      .slice(0, 20)
      .map(({ instancePath, message }) => ({ field: `params${instancePath.replaceAll('/', '.')}`, message }));
  }
  return (action.check?.(params, site) ?? []).map(({ field, message }) => ({
    field: field === undefined ? 'params' : `params.${field}`,
    message,
  }));
}

/** Validates the params of a job for its action. Throws ValidationFailed with each field that does not fit its schema. */
export function parseJobParams(action: JobAction, params: JsonObject, site: Site): JsonObject {
  const converted = withLists(action, params);
  const problems = problemsOf(action, converted, site);
  if (problems.length > 0) throw new ValidationFailed(problems);
  return converted;
}
