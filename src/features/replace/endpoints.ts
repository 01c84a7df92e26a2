import { Type } from 'typebox';
import { defineService, MODIFY, ok, requests, urlOf } from '#core';
import { replaceContent } from './replace-content.ts';

/** Maximum number of objects that one call changes. */
const MAX_CHANGES = 500;

const Flag = (description: string, value: boolean) =>
  Type.Boolean({ description, default: value, message: 'must be true or false' });

/** The message of a member in the words of Nick's contract, for clients that show the message. */
const rejecting = (text: string) => ({ reject: { required: text, other: text } });

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
      pattern: Type.String({
        minLength: 1,
        description: 'A regular expression of RE2, which has no look-around.',
        ...rejecting('Pattern must be at least 1 character long.'),
      }),
      replacement: Type.String({
        description: 'What matches become; `$1`, `$<name>`, `$&` and `$$` as in JavaScript.',
        ...rejecting('Replacement must be provided.'),
      }),
      regular_expression: Flag('Whether the pattern is a regular expression, not a text as it stands.', true),
      ignore_case: Flag('Whether capitals and small letters are the same.', false),
      urls: Flag('Whether addresses are replaced in as well.', false),
      dry_run: Flag('Whether to tell only what would change.', false),
      limit: Type.Integer({
        description: 'Most objects in the response.',
        minimum: 1,
        maximum: MAX_CHANGES,
        default: MAX_CHANGES,
        message: `must be a whole number from 1 to ${MAX_CHANGES}`,
      }),
      after: Type.String({
        description: 'The `next` of a response, to continue after it.',
        default: '',
        message: 'must be a path: the "next" of the last response',
      }),
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
      pattern: body.pattern,
      replacement: body.replacement,
      after: body.after,
      limit: body.limit,
      regularExpression: body.regular_expression,
      ignoreCase: body.ignore_case,
      urls: body.urls,
      dryRun: body.dry_run,
      caller,
      path,
      bases: requests.basesOf(context),
    });
    return ok({
      '@id': `${urlOf(base, path)}/@replace`,
      changes,
      ...(skipped.length > 0 ? { skipped } : {}),
      ...(next === undefined ? {} : { next }),
    });
  },
});
