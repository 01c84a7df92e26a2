import { type contentRules, panelSettings, panels, type Queryable, siteAddress, stateOf } from '#core';
import { textOf } from '#lib/json-object';
import { emailsOfRole, findPerson, type Person } from './statements/people.ts';

/** A placeholder for a value, such as `${title}`. */
const PLACE = /\$\{([a-z_]{1,50})\}/g;
/** Maximum number of addresses that replace one placeholder. */
const MAX_EMAILS = 100;
/** Maximum length of the text that replaces a placeholder, in characters. */
const MAX_VALUE_LENGTH = 10_000;

/** The roles whose members' addresses replace placeholders, by the names of the placeholders (Plone). */
const EMAILS_OF_ROLES: ReadonlyMap<string, string> = new Map([
  ['manager_emails', 'Manager'],
  ['reviewer_emails', 'Reviewer'],
  ['editor_emails', 'Editor'],
  ['contributor_emails', 'Contributor'],
  ['reader_emails', 'Reader'],
  ['member_emails', 'Member'],
]);

type Value = string | Promise<string>;

/** The source of the values of one action. A value is loaded when a placeholder names it. */
type Source = Omit<contentRules.Context, 'values'>;

const instant = (date: Date | null): string => date?.toISOString() ?? '';

/** Values that follow from the content alone. */
const OF_CONTENT: Readonly<Record<string, (source: Source) => string>> = {
  id: ({ content }) => content.object.name,
  title: ({ content }) => content.object.title,
  description: ({ content }) => content.object.description,
  uid: ({ content }) => content.object.uid,
  path: ({ content }) => content.object.path,
  type: ({ content }) => content.object.type,
  type_title: ({ site, content }) => site.types.get(content.object.type)?.title ?? content.object.type,
  language: ({ content }) => content.object.language ?? '',
  keywords: ({ content }) =>
    Array.isArray(content.object.fields.subjects) ? content.object.fields.subjects.join(', ') : '',
  absolute_url: ({ kernel, site, content }) => siteAddress.ofContent(kernel, site, content.object.path),
  url: ({ kernel, site, content }) => siteAddress.ofContent(kernel, site, content.object.path),
  parent_title: ({ content }) => content.ancestors[0]?.title ?? '',
  parent_url: ({ kernel, site, content }) => siteAddress.ofContent(kernel, site, content.ancestors[0]?.path ?? '/'),
  portal_url: ({ kernel, site }) => siteAddress.of(kernel, site),
  portal_title: ({ site }) => panelSettings(site, panels.site).site_title,
  review_state: ({ content }) => content.object.reviewState ?? '',
  review_state_title: ({ site, content }) => stateOf(site, content.object)?.state.title ?? '',
  created: ({ content }) => instant(content.object.created),
  modified: ({ content }) => instant(content.object.modified),
  effective: ({ content }) => instant(content.object.effective),
  expires: ({ content }) => instant(content.object.expires),
  now: () => new Date().toISOString(),
};

/** Values that follow from the event. */
const OF_EVENT: Readonly<Record<string, (source: Source) => string>> = {
  event: ({ event }) => event.title,
  event_name: ({ event }) => event.name,
  rule_title: ({ rule }) => rule.title,
  user_id: ({ actor }) => actor.id ?? 'anonymous',
  user_fullname: ({ actor }) => actor.fullname || (actor.id ?? 'anonymous'),
  owner_id: ({ content }) => content.object.owner,
  principal_id: ({ event, actor }) => event.user ?? actor.id ?? '',
  comment_id: ({ event }) => event.comment?.id ?? '',
  comment_text: ({ event }) => event.comment?.text ?? '',
  comment_user_id: ({ event }) => event.comment?.author ?? '',
  comment_user_fullname: ({ event }) => event.comment?.authorName ?? '',
};

/** Values from the account of a user: the id of the user, and the member of the account. */
const OF_PEOPLE: Readonly<Record<string, (source: Source) => { id: string | null; part: keyof Person }>> = {
  user_email: ({ actor }) => ({ id: actor.id, part: 'email' }),
  owner_email: ({ content }) => ({ id: content.object.owner, part: 'email' }),
  owner_emails: ({ content }) => ({ id: content.object.owner, part: 'email' }),
  owner_fullname: ({ content }) => ({ id: content.object.owner, part: 'fullname' }),
  principal_email: ({ event, actor }) => ({ id: event.user ?? actor.id, part: 'email' }),
  principal_fullname: ({ event, actor }) => ({ id: event.user ?? actor.id, part: 'fullname' }),
  comment_user_email: ({ event }) => ({ id: event.comment?.author ?? null, part: 'email' }),
};

/** The value of a placeholder; undefined for an unknown name. */
function valueAt(source: Source, db: Queryable, name: string): Value | undefined {
  const plain = own(OF_CONTENT, name) ?? own(OF_EVENT, name);
  if (plain) return plain(source);
  const person = own(OF_PEOPLE, name)?.(source);
  if (person) return person.id === null ? '' : findPerson(db, person.id).then((found) => textOf(found?.[person.part]));
  const role = EMAILS_OF_ROLES.get(name);
  return role === undefined ? undefined : emailsOfRole(db, role, MAX_EMAILS).then((emails) => emails.join(', '));
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/**
 * Replaces `${title}`, `${absolute_url}`, `${user_id}` … in texts, with the names that Plone has (plone.stringinterp). An unknown name
 * stays in the text. Each value is looked up once.
 */
export function substituter(source: Source, db: Queryable): (text: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (template) => {
    for (const [, name = ''] of template.matchAll(PLACE)) {
      if (known.has(name)) continue;
      const value = await valueAt(source, db, name);
      if (value !== undefined) known.set(name, value.slice(0, MAX_VALUE_LENGTH).toWellFormed());
    }
    return template.replace(PLACE, (place, name: string) => known.get(name) ?? place);
  };
}
