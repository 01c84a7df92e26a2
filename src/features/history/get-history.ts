import { Type } from 'typebox';
import { ACCESS_VERSIONS, mayReadReviews, REVERT_VERSIONS } from '../../content/history-permissions.ts';
import { has } from '../../content/permissions.ts';
import { hasVersions } from '../../content/version-policy.ts';
import { MODIFY } from '../../security/permissions.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { headerOf } from '../../services/content/represent-path.ts';
import { defineService } from '../../services/service.ts';
import { mayReadVersions } from '../../services/versions/may-read-versions.ts';
import { readerLanguage } from '../../site/reader-language.ts';
import { historyEntry } from './history-entry.ts';
import { readHistoryPage } from './history-page.ts';
import { listHistory } from './statements/version-history.ts';

const Actor = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  fullname: Type.String(),
  username: Type.String(),
});

const Entry = Type.Object({
  '@id': Type.Optional(Type.String({ format: 'uri', description: 'Address of the version.' })),
  type: Type.Union([Type.Literal('versioning'), Type.Literal('workflow')]),
  action: Type.String(),
  transition_title: Type.String(),
  actor: Actor,
  comments: Type.String(),
  time: Type.String({ format: 'date-time' }),
  version: Type.Optional(Type.Integer()),
  may_revert: Type.Optional(Type.Boolean()),
  changed_fields: Type.Optional(Type.Array(Type.String(), { description: 'What the edit changed.' })),
  review_state: Type.Optional(Type.String()),
  state_title: Type.Optional(Type.String()),
});

/** GET `@history`: versions and changes of the state, newest first. */
export const getHistory = defineService({
  name: '@history',
  method: 'GET',
  context: 'content',
  permission: ACCESS_VERSIONS,
  checkPermission: mayReadVersions,
  summary:
    'Lists versions and changes of the workflow state, newest first. When there are more, the header Link has the address of the next ones.',
  headers: { 'Accept-Language': { description: 'Languages of the reader, for names of actions and states.' } },
  query: Type.Object({
    b_start: Type.Optional(Type.Integer({ description: 'Entries to skip.', minimum: 0, default: 0 })),
    b_size: Type.Optional(Type.Integer({ description: 'Entries in the answer, at most 1000.', minimum: 0 })),
  }),
  responses: {
    200: {
      description: 'The history.',
      schema: Type.Array(Entry),
      headers: { Link: { description: 'Address of the older entries, when there are more.' } },
    },
  },
  async run(call) {
    const { db, site, base, caller, resolved, searchParams } = call;
    const { object } = resolved;
    const type = site.types.get(object.type);
    const { limit, offset, next } = readHistoryPage(searchParams);
    const rows = await listHistory(db, {
      content: object.oid,
      versioned: type !== undefined && hasVersions(type),
      workflow: mayReadReviews(site, caller, resolved),
      limit: limit + 1,
      offset,
    });
    const url = `${urlOf(base, object.path)}/@history`;
    const mayRevert = [REVERT_VERSIONS, MODIFY].every((permission) => has(site, caller, resolved, permission));
    const mayRead = (field: string) => {
      const permission = type?.fieldByName.get(field)?.read_permission;
      return permission === undefined || has(site, caller, resolved, permission);
    };
    const context = {
      site,
      base,
      url,
      language: readerLanguage(site, headerOf(call, 'accept-language')),
      mayRevert,
      mayRead,
    };
    const headers = { Vary: 'Accept-Language', ...(rows.length > limit ? next(url) : {}) };
    return { status: 200, headers, body: rows.slice(0, limit).map((row) => historyEntry(context, row)) };
  },
});
