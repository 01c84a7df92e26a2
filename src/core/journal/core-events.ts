import { auditNames } from './audit-entry.ts';
import type { EventDescriptions } from './event-description.ts';
import type { CoreEvents } from './events.ts';
import { storedDates } from './steps.ts';

/** Maximum number of children of a container whose positions are recorded; sorting more children cannot be undone. */
const MAX_MOVES = 1000;

/** Maximum number of addresses that are recorded; a change of more at once cannot be undone. */
const MAX_REDIRECTS = 1000;

/** The usual name of the public state. */
const PUBLISHED = 'published';

/** Parts of the site that decide about the viewers of content. */
const DECIDING_PARTS = new Set(['add-on', 'group', 'profile', 'set-up', 'type']);

/**
 * The events of content and of the settings of the site. Rules do not run for imports and for the root of a new site, whose events have no site or no
 * trigger, nor for changes of working copies: the check-in is a modification of the original.
 */
export const coreEvents: EventDescriptions<keyof CoreEvents> = {
  'content.created': {
    // The creation of a site's root cannot be undone.
    record: { steps: ({ oid, site }) => (site ? [{ action: 'created', content: oid, data: {} }] : []) },
    rules: { triggers: () => ['onAfterAdd'] },
    caches: {},
    changes: ({ oid }) => [{ content: oid, event: 'created' }],
  },
  'content.modified': {
    record: { steps: ({ oid, fields }) => [{ action: 'edited', content: oid, data: { fields, versions: 1 } }] },
    // A new version of unchanged content is not a change.
    rules: { triggers: ({ fields }) => (fields.length > 0 ? ['onAfterModified'] : []) },
    caches: {},
    changes: ({ oid, fields }) =>
      fields.length > 0 ? [{ content: oid, event: 'changed', data: { fields: auditNames(fields) } }] : [],
  },
  'content.removing': {
    record: {
      steps: ({ oid, path, recyclable, checkedIn }) => [
        checkedIn === undefined
          ? { action: 'deleted', content: oid, path, data: { recyclable } }
          : { action: 'checkedIn', content: oid, path, data: { into: checkedIn } },
      ],
    },
    rules: {
      // The link to the baseline is gone by now.
      triggers: ({ isWorkingCopy }) => (isWorkingCopy ? [] : ['onAfterDelete']),
      details: () => ({ removing: true }),
    },
    caches: { leaves: ({ path }) => ({ now: path, before: path }) },
    changes: ({ oid }) => [{ content: oid, event: 'removed', below: true }],
  },
  'content.copied': {
    record: { steps: ({ oid, from, to }) => [{ action: 'copied', content: oid, path: to, data: { source: from } }] },
    rules: { triggers: () => ['onAfterCopy', 'onAfterAdd'] },
    caches: {},
    changes: ({ oid }) => [{ content: oid, event: 'created', below: true }],
  },
  'content.imported': {
    record: { steps: ({ oids }) => oids.map((content) => ({ action: 'created', content, data: {} })) },
    rules: null,
    caches: {},
    changes: ({ oids }) => oids.map((content) => ({ content, event: 'changed', data: { fields: [] } })),
  },
  'content.restored': {
    record: { steps: ({ oid, from, to }) => [{ action: 'restored', content: oid, path: to, data: { source: from } }] },
    rules: { triggers: () => ['onAfterAdd'] },
    caches: {},
    changes: ({ oid }) => [{ content: oid, event: 'restored', below: true }],
  },
  'content.moved': {
    record: {
      steps: ({ oid, from, to, before, after }) => [
        { action: 'moved', content: oid, path: to, data: { source: from, before, after } },
      ],
    },
    rules: { triggers: () => ['onAfterMove'] },
    caches: { leaves: ({ from, to }) => ({ now: to, before: from }) },
    changes: ({ oid }) => [{ content: oid, event: 'moved', below: true }],
  },
  'content.transitioned': {
    record: {
      steps: ({ oid, transition, from, to, dates }) => [
        { action: 'workflow', content: oid, data: { transition, from, to, dates: storedDates(dates) } },
      ],
    },
    rules: {
      triggers: ({ to }) =>
        to === PUBLISHED ? ['onAfterChangeWorkflow', 'onAfterPublish'] : ['onAfterChangeWorkflow'],
    },
    caches: {},
    changes({ oid, from, to, seenByOthers }) {
      const own = { content: oid, event: 'state', data: { state: { from, to } } } as const;
      return seenByOthers ? [own, ...seenByOthers.map((content) => ({ content }))] : [{ ...own, below: true }];
    },
  },
  'content.shared': {
    record: { steps: ({ oid, before, after }) => [{ action: 'shared', content: oid, data: { before, after } }] },
    rules: null,
    caches: {},
    changes: ({ oid }) => [{ content: oid, event: 'rights', below: true }],
  },
  'content.reordered': {
    record: {
      steps({ parent, moves }) {
        if (moves?.length === 0) return [];
        const isRecorded = moves !== undefined && moves.length <= MAX_MOVES;
        return [{ action: 'ordered', content: parent, data: { moves: isRecorded ? moves : null } }];
      },
    },
    rules: null,
    caches: {},
    changes: ({ parent }) => [{ content: parent, event: 'changed', data: { fields: ['items'] } }],
  },
  'content.translated': {
    record: { steps: ({ oid, before, after }) => [{ action: 'translated', content: oid, data: { before, after } }] },
    rules: null,
    caches: {},
    changes: ({ oid }) => [{ content: oid, event: 'changed', data: { fields: ['translations'] } }],
  },
  'settings.changed': {
    record: {
      steps: ({ panels, names }) => [{ action: 'settings', content: null, path: '/', data: { panels, names } }],
    },
    rules: null,
    caches: {},
    changes: () => ['anything'],
  },
  'site.aliases': {
    record: {
      steps({ change, redirects, path = '/' }) {
        const names = redirects.map((redirect) => redirect.path);
        const isRecorded = redirects.length <= MAX_REDIRECTS;
        return [
          {
            action: 'aliased',
            content: null,
            path,
            data: {
              change,
              names: auditNames(names),
              redirects: isRecorded
                ? redirects.map(({ created, ...redirect }) => ({ ...redirect, created: created.toISOString() }))
                : null,
            },
          },
        ];
      },
    },
    rules: null,
    caches: {},
    changes: null,
  },
  'site.changed': {
    record: { steps: ({ path = '/', ...data }) => [{ action: 'site', content: null, path, data }] },
    rules: null,
    caches: {},
    changes: ({ part }) => (DECIDING_PARTS.has(part) ? ['anything'] : []),
  },
};
