import { Type } from 'typebox';
import { defineService, MANAGE_PORTAL, MODIFY, ok, type RequestContext, requests, type Service, schemas } from '#core';
import { applyPlan } from './apply/apply-plan.ts';
import { ObjectForm } from './forms/object-form.ts';
import { MAX_PLAN_BYTES } from './forms/plan.ts';
import { EntriesInBody, FilesInBody, RuleInBody, receiveFile, SetupInBody } from './forms/plan-body.ts';
import { entriesInMemory } from './forms/plan-entries.ts';
import { ReportBody } from './forms/report-body.ts';
import { openFile, type Reading, readObjects, readPage } from './read-objects.ts';
import { readSetup } from './read-setup.ts';

/** UIDs of one request. */
const MAX_UIDS = 100;

const readingOf = ({ kernel, db, site, caller }: RequestContext): Reading => ({ kernel, db, site, caller });

/** GET `@promotion`: objects in the form in which they are compared with those of another site. */
const getObjects = defineService({
  name: '@promotion',
  method: 'GET',
  context: 'content',
  permission: MODIFY,
  summary: 'Objects at and below here in the form in which sites are compared, a page at a time.',
  query: Type.Object({
    after: Type.String({ description: 'The member `next` of the page before.', default: '', maxLength: 64 }),
    type: Type.Optional(schemas.Tokens({ description: 'Only content of these types.' })),
    uid: Type.Optional(
      schemas.Tokens({ description: 'These objects, wherever they are, in one page.', maxItems: MAX_UIDS }),
    ),
  }),
  responses: {
    200: {
      description: 'Objects that the caller may view and change.',
      schema: Type.Object({
        items: Type.Array(ObjectForm),
        next: schemas.Nullable(Type.String({ description: 'Where the next page begins; null at the end.' })),
      }),
    },
  },
  async run(context) {
    const { query, resolved } = context;
    if (query.uid) return ok({ items: await readObjects(readingOf(context), query.uid), next: null });
    const { path } = resolved.object;
    return ok(await readPage(readingOf(context), { path, types: query.type, after: query.after }));
  },
});

/** GET `@promotion/set-up`: the set-up as the files of a profile. */
const getSetup = defineService({
  name: '@promotion',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'The set-up of the site as the files of a profile.',
  rest: ['set-up'],
  responses: {
    200: {
      description: 'The files by their paths, and what is not in them.',
      schema: Type.Object({
        files: Type.Record(Type.String(), Type.Unknown()),
        notes: Type.Array(Type.String()),
      }),
    },
  },
  async run({ kernel }) {
    const { files, notes } = await readSetup(kernel);
    return ok({ files: Object.fromEntries(files), notes: [...notes] });
  },
});

/** GET `@promotion/files/{hash}`: a file of an object. */
const getFile = defineService({
  name: '@promotion',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'The bytes of a file that an object has.',
  rest: ['files/{hash}'],
  params: Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]{64}$', message: 'must be a SHA-256 in hex' }) }),
  query: Type.Object({ uid: Type.String({ description: 'The object that has it.', maxLength: 64 }) }),
  responses: {
    200: { description: 'The bytes.', contentType: 'application/octet-stream' },
    404: { description: 'The object does not have it, or the caller may not change it.' },
  },
  async run(context) {
    const { params, query } = context;
    const stream = await openFile(readingOf(context), { uid: query.uid, hash: params.hash });
    return { status: 200 as const, stream, contentType: 'application/octet-stream' };
  },
});

const Body = Type.Object({
  setup: SetupInBody,
  entries: EntriesInBody,
  conflicts: RuleInBody,
  files: FilesInBody,
});

/** POST `@promotion`: applies a plan. */
const postPlan = defineService({
  name: '@promotion',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  summary: 'Applies a plan, the differences between two sites, in one transaction: all of it, or nothing.',
  bodyLimit: MAX_PLAN_BYTES,
  together: 'alone',
  body: Body,
  responses: {
    200: { description: 'What became of the plan.', schema: ReportBody },
    403: { description: 'The caller may not do all of it: the message lists what. Nothing was done.' },
    409: {
      description:
        'The site has changed the same, and nothing was done: `conflicts` lists what. A dry run lists them in its report, with 200.',
    },
  },
  async run(context) {
    const { kernel, caller, body } = context;
    const { setup, entries, conflicts, files } = body;
    return ok(
      await applyPlan(kernel, {
        plan: { setup, entries: entriesInMemory(entries) },
        caller,
        rule: conflicts,
        listsConflicts: context.isRehearsed === true,
        fileOf: async (hash) => receiveFile(kernel, hash, files[hash]),
      }),
    );
  },
});

export const promotionServices: Service[] = [getObjects, getSetup, getFile, postPlan];
