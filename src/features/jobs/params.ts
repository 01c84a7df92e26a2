import { Check } from 'typebox/value';
import type { JobAction, Site } from '#core';
import { type FieldProblem, ValidationFailed } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { MAX_PROBLEMS, schemaProblems } from '#lib/schema/schema-problems';
import { unknownMembers } from '#lib/schema/unknown-members';

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
  const schema = { type: 'object', properties, required };
  const problems = [
    ...(Check(schema, params) ? [] : schemaProblems(schema, params)),
    ...unknownMembers(schema, params),
  ];
  if (problems.length > 0)
    return problems
      .slice(0, MAX_PROBLEMS)
      .map(({ field, message }) => ({ field: field === undefined ? 'params' : `params.${field}`, message }));
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
