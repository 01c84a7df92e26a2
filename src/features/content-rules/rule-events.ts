import { type Site, type SiteVocabulary, say, speaksPlone } from '#core';

/** Events that rules can follow on, with the names for clients of Nick; `also` are Plone's titles and other names. */
const EVENTS = [
  {
    name: 'onAfterAdd',
    title: 'Content added to this container',
    also: ['Object added to this container', 'zope.lifecycleevent.interfaces.IObjectAddedEvent'],
  },
  {
    name: 'onAfterDelete',
    title: 'Content removed from this container',
    also: ['Object removed from this container', 'zope.lifecycleevent.interfaces.IObjectRemovedEvent'],
  },
  {
    name: 'onAfterModified',
    title: 'Content changed',
    also: ['onAfterModify', 'Object modified', 'zope.lifecycleevent.interfaces.IObjectModifiedEvent'],
  },
  {
    name: 'onAfterCopy',
    title: 'Content copied',
    also: ['Object copied', 'zope.lifecycleevent.interfaces.IObjectCopiedEvent'],
  },
  { name: 'onAfterMove', title: 'Content moved to this container', also: [] },
  { name: 'onAfterPublish', title: 'Content published', also: [] },
  {
    name: 'onAfterChangeWorkflow',
    title: 'Workflow state changed',
    also: ['Products.CMFCore.interfaces.IActionSucceededEvent'],
  },
  { name: 'onAfterAddComment', title: 'Comment added', also: [] },
  { name: 'onAfterReplyComment', title: 'Comment reply added', also: [] },
  { name: 'onAfterPublishComment', title: 'Comment published', also: [] },
  { name: 'onAfterDeleteComment', title: 'Comment removed', also: [] },
  { name: 'onAfterLogin', title: 'User logged in', also: [] },
  { name: 'onAfterLogout', title: 'User logged out', also: [] },
  { name: 'onAfterCreateUser', title: 'User created', also: [] },
  { name: 'onAfterDeleteUser', title: 'User removed', also: [] },
] as const;

/** The name of an event of rules. */
type RuleEventName = (typeof EVENTS)[number]['name'];

declare module '#core' {
  interface RuleTriggers extends Record<RuleEventName, true> {}
}

const byAnyName = new Map<string, (typeof EVENTS)[number]>(
  EVENTS.flatMap((event) => [event.name, event.title, ...event.also].map((name) => [name.toLowerCase(), event])),
);

/** The name of an event that a client sends as its name, its English title or Plone's title; undefined for an unknown event. */
export const parseRuleEvent = (text: string): RuleEventName | undefined =>
  byAnyName.get(text.trim().toLowerCase())?.name;

/** The English title of an event. */
export const titleOfEvent = (name: string): string => byAnyName.get(name.toLowerCase())?.title ?? name;

/** The token of an event for clients: Nick's name, or the English title on sites with the types of Plone. */
export const tokenOfEvent = (site: Pick<Site, 'types'>, name: string): string =>
  speaksPlone(site) ? titleOfEvent(name) : name;

/** The event of a rule in lists, in the language of a localized site: Volto's filter compares it with the title in the vocabulary. */
export const triggerOf = (site: Site, event: string): string => {
  const token = tokenOfEvent(site, event);
  return token === event ? event : say(site, token);
};

/** The vocabulary of the events. */
export const ruleEventVocabulary: SiteVocabulary = {
  names: ['events', 'plone.contentrules.events'],
  terms: (site, language) =>
    EVENTS.map(({ name, title }) => ({
      token: tokenOfEvent(site, name),
      title: site.registries.messages.translate(title, language),
    })),
};
