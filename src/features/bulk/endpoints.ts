import { type Static, Type } from 'typebox';
import { defineService, ok, type RequestContext, requests } from '#core';
import { BadRequest, type FieldProblem } from '#lib/errors';
import { type Change, ChangeBody, type Changes, changeOf, METHODS } from './change-schema.ts';
import { Begun, changeLater, changeNow } from './make-change.ts';
import { Report } from './report.ts';
import { namedObjects, SelectionBody, selectionOf } from './selection.ts';

/** Maximum number of objects that the request itself changes; a job changes more. */
const MAX_AT_ONCE = 50;
/** Maximum number of objects of a dry run, which locks all of them until it ends. */
const MAX_REHEARSED = 250;

const Body = Type.Object(
  { ...SelectionBody, change: ChangeBody },
  { examples: [{ items: ['/news/article'], change: { tags: { add: ['Archive'], remove: [] } } }] },
);

/** The problems of a body that its schema cannot express. */
function problemsOf({ items, query, change }: Partial<Static<typeof Body>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!items && !query)
    problems.push({ field: 'items', message: 'must be a list of objects, or send "query" to search for them' });
  const one = change && changeOf(change);
  if (change && !one)
    problems.push({ field: 'change', message: `must have one of ${Object.keys(METHODS).join(', ')}` });
  if (one?.name === 'tags') {
    const { add, remove } = one.body;
    if (add.length + remove.length === 0)
      problems.push({ field: 'change.tags', message: 'must have a tag to add or to remove' });
    if (add.some((tag) => remove.includes(tag)))
      problems.push({ field: 'change.tags', message: 'must not add and remove the same tag' });
  }
  return problems;
}

/** The change of a checked body. */
function requireChange(changes: Changes): Change {
  const change = changeOf(changes);
  if (!change) throw new BadRequest('"change" must have one change.');
  return change;
}

/** The UID of the container that a change names; undefined for changes without one. Throws BadRequest when the caller may view no such container. */
async function targetOf(
  context: RequestContext,
  { name, body }: Change,
  bases: readonly string[],
): Promise<string | undefined> {
  if (name !== 'move' && name !== 'copy') return undefined;
  const [named] = await namedObjects(context, [body.target], bases);
  if (!named || !('object' in named))
    throw new BadRequest(`"target" is no container that you may view: ${body.target.slice(0, 200)}`);
  return named.object.uid;
}

/** POST `@bulk`: one change to many objects. */
export const postBulk = defineService({
  name: '@bulk',
  method: 'POST',
  context: 'content',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Makes one change to a selection or to the results of a search, with a report by object.',
  body: Body,
  check: (_context, { body }) => problemsOf(body),
  responses: {
    200: { description: 'The report: all objects were changed at once, in one transaction.', schema: Report },
    202: {
      description: `A job changes the objects, for there are more than ${MAX_AT_ONCE}.`,
      schema: Begun,
      headers: { Location: { description: 'Address of the job.' } },
    },
    400: { description: 'The change or the selection cannot be understood, or there are too many objects.' },
    401: { description: 'The caller is not logged in.' },
    429: { description: 'Too many changes or jobs wait.' },
  },
  async run(context) {
    const { body, authentication } = context;
    const parsed = requireChange(body.change);
    const bases = requests.basesOf(context, requests.headerOf(context, 'host'));
    const { methods, paths } = authentication.limits ?? {};
    const target = await targetOf(context, parsed, bases);
    const data = {
      ...{ parsed, change: body.change, bases },
      limits: { ...(methods ? { methods: [...methods] } : {}), ...(paths ? { paths: [...paths] } : {}) },
      ...(target === undefined ? {} : { target }),
    };
    const selection = await selectionOf(context, body, bases);
    const count = selection.objects.length;
    const isRehearsed = requests.isRehearsed(context.db);
    if (isRehearsed && count > MAX_REHEARSED)
      throw new BadRequest(
        `"dry_run" is possible for ${MAX_REHEARSED} objects, and these are ${count}: send fewer, or "sort_limit".`,
      );
    if (isRehearsed || count <= MAX_AT_ONCE) return ok(await changeNow(context, data, selection));
    const begun = await changeLater(context, data, selection);
    return { status: 202, headers: { Location: begun.job }, body: begun };
  },
});
