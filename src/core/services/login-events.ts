import type { Site } from '../configuration/site/site.ts';
import type { EventDescriptions } from '../journal/event-description.ts';

/** Logins, logouts and failures. Each has a transaction of its own. */
export type LoginEvents = {
  /** A user got a token for name and password, or from a provider. */
  'user.loggedIn': { id: string; site: Site };
  'user.loggedOut': { id: string; site: Site };
  /** Name and password, or the code, of a login were wrong; `login` is the typed name, any text. */
  'user.loginFailed': { login: string; address: string; factor: 'password' | 'code' };
};

declare module '#core' {
  interface ContentEvents extends LoginEvents {}
}

const subject = ({ id }: { id: string }): string => `user:${id}`;

/** The events of logins. */
export const loginEvents: EventDescriptions<keyof LoginEvents> = {
  'user.loggedIn': {
    record: {
      entry: ({ id }) => ({ actor: id, action: 'login.succeeded', content: null, path: '/', name: id, data: {} }),
    },
    rules: { triggers: () => ['onAfterLogin'], subject },
    caches: null,
    changes: null,
  },
  'user.loggedOut': {
    record: { entry: ({ id }) => ({ actor: id, action: 'login.ended', content: null, path: '/', name: id, data: {} }) },
    rules: { triggers: () => ['onAfterLogout'], subject },
    caches: null,
    changes: null,
  },
  'user.loginFailed': {
    record: { nothing: 'the audit log counts them: those of an hour are one entry' },
    rules: null,
    caches: null,
    changes: null,
  },
};
