import { type Static, Type } from 'typebox';
import type { Site } from '#core';
import type { HistoryRow } from './statements.ts';

const Common = {
  action: Type.String(),
  transition_title: Type.String(),
  actor: Type.Object({
    '@id': Type.String({ format: 'uri' }),
    id: Type.String(),
    fullname: Type.String(),
    username: Type.String(),
  }),
  comments: Type.String(),
  time: Type.String({ format: 'date-time' }),
};

const VersionEntry = Type.Object({
  '@id': Type.String({ format: 'uri', description: 'Address of the version.' }),
  type: Type.Literal('versioning'),
  ...Common,
  version: Type.Integer(),
  may_revert: Type.Boolean(),
  changed_fields: Type.Array(Type.String(), { description: 'What the edit changed.' }),
});

const WorkflowEntry = Type.Object({
  type: Type.Literal('workflow'),
  ...Common,
  review_state: Type.String(),
  state_title: Type.String(),
});

/** An entry of a history. */
export const HistoryEntry = Type.Union([VersionEntry, WorkflowEntry]);

/** The context of all entries of one response. */
export type EntryContext = {
  site: Site;
  /** Address of the site root, and of `@history` of the object. */
  base: string;
  url: string;
  /** Language of the reader. */
  language: string;
  mayRevert: boolean;
  /** True if the caller may read a field. */
  mayRead: (field: string) => boolean;
};

/**
 * An entry as in plone.restapi (§7, `@history`). Versions have the names of the changed fields as well; entries of the
 * workflow have no key `version`.
 */
export function historyEntry(
  { site, base, url, language, mayRevert, mayRead }: EntryContext,
  row: HistoryRow,
): Static<typeof HistoryEntry> {
  const say = (text: string) => site.registries.messages.translate(text, language);
  const { number, actor, fullname, at, comments, action } = row;
  const common = {
    actor: { '@id': `${base}/@users/${encodeURIComponent(actor)}`, id: actor, fullname, username: actor },
    time: at.toISOString(),
  };
  if (number !== null) {
    return {
      '@id': `${url}/${number}`,
      type: 'versioning',
      version: number,
      action: say('Edited'),
      transition_title: say('Edited'),
      ...common,
      // Plone's comment of the first version, unless its author wrote one. Comments by the server are in English.
      comments: say(number === 0 && comments === '' ? 'Initial version' : comments),
      changed_fields: row.fields.filter(mayRead),
      may_revert: mayRevert,
    };
  }
  const workflow = site.workflows.get(row.workflow ?? '');
  const state = row.reviewState ?? '';
  return {
    type: 'workflow',
    action: action ?? say('Create'),
    transition_title: say(action === null ? 'Create' : (workflow?.transitions[action]?.title ?? action)),
    ...common,
    comments,
    review_state: state,
    state_title: say(workflow?.states[state]?.title ?? state),
  };
}
