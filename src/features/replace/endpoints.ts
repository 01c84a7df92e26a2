import { Type } from 'typebox';
import { BadRequest } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { MODIFY } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { documented } from '../../services/openapi/documented.ts';
import { defineService, ok } from '../../services/service.ts';
import { replaceContent } from './replace-content.ts';

/** Objects that one call changes unless the client wants less. */
const MAX_CHANGES = 500;

/** Reads the texts of the body, in the words of Nick's contract. Throws BadRequest. */
function readTexts({ pattern, replacement }: JsonObject): { pattern: string; replacement: string } {
  if (typeof pattern !== 'string' || pattern === '') throw new BadRequest('Pattern must be at least 1 character long.');
  if (typeof replacement !== 'string') throw new BadRequest('Replacement must be provided.');
  return { pattern, replacement };
}

function readFlag(body: JsonObject, name: string, fallback: boolean): boolean {
  const value = body[name] ?? fallback;
  if (typeof value !== 'boolean') throw new BadRequest(`"${name}" must be true or false.`);
  return value;
}

/** Reads where to go on and how far. Throws BadRequest. */
function readBounds({ after = '', limit = MAX_CHANGES }: JsonObject): { after: string; limit: number } {
  if (typeof after !== 'string') throw new BadRequest('"after" must be a path: the "next" of the last answer.');
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_CHANGES)
    throw new BadRequest(`"limit" must be a whole number from 1 to ${MAX_CHANGES}.`);
  return { after, limit };
}

const Flag = (description: string, value: boolean) =>
  Type.Optional(documented(Type.Boolean({ description, default: value })));

const Change = { title: Type.String({ description: 'As it was before.' }), path: Type.String() };

/** POST `@replace`: searches and replaces in the texts of content. */
export const postReplace = defineService({
  name: '@replace',
  method: 'POST',
  context: 'content',
  permission: MODIFY,
  summary: 'Replaces a pattern in the texts of the content at or below this object that the caller may modify.',
  body: Type.Object(
    {
      pattern: documented(
        Type.String({ minLength: 1, description: 'A regular expression of RE2, which has no look-around.' }),
        { required: true },
      ),
      replacement: documented(
        Type.String({ description: 'What matches become; `$1`, `$<name>`, `$&` and `$$` as in JavaScript.' }),
        { required: true },
      ),
      regular_expression: Flag('Whether the pattern is a regular expression, not a text as it stands.', true),
      ignore_case: Flag('Whether capitals and small letters are the same.', false),
      urls: Flag('Whether addresses are replaced in as well.', false),
      dry_run: Flag('Whether to tell only what would change.', false),
      limit: Type.Optional(
        documented(
          Type.Integer({
            description: 'Most objects in the answer.',
            minimum: 1,
            maximum: MAX_CHANGES,
            default: MAX_CHANGES,
          }),
        ),
      ),
      after: Type.Optional(documented(Type.String({ description: 'The `next` of an answer, to go on behind it.' }))),
    },
    { additionalProperties: true, examples: [{ pattern: 'Event', replacement: 'Meeting', dry_run: true }] },
  ),
  responses: {
    200: {
      description: 'What has changed.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        changes: Type.Array(Type.Object({ ...Change, fields: Type.Array(Type.String()) })),
        skipped: Type.Optional(
          Type.Array(Type.Object({ ...Change, reason: Type.String() }), {
            description: 'What has the pattern and could not be changed.',
          }),
        ),
        next: Type.Optional(Type.String({ description: 'Where to go on: there may be more.' })),
      }),
    },
    400: { description: 'The pattern or the replacement is missing, or cannot be used.' },
  },
  async run(context) {
    const { kernel, caller, resolved, base, body } = context;
    const { path } = resolved.object;
    const { changes, skipped, next } = await replaceContent(kernel, {
      ...readTexts(body),
      ...readBounds(body),
      regularExpression: readFlag(body, 'regular_expression', true),
      ignoreCase: readFlag(body, 'ignore_case', false),
      urls: readFlag(body, 'urls', false),
      dryRun: readFlag(body, 'dry_run', false),
      caller,
      path,
      bases: basesOf(context),
    });
    return ok({
      '@id': `${urlOf(base, path)}/@replace`,
      changes,
      ...(skipped.length > 0 ? { skipped } : {}),
      ...(next === undefined ? {} : { next }),
    });
  },
});
