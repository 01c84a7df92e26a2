import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assembleWith } from '../../src/app/create-kernel.ts';
import { FEATURES } from '../../src/app/features.ts';
import { Events } from '../../src/core/journal/bus.ts';
import { coreEvents } from '../../src/core/journal/core-events.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Subscriptions by name in the features whose work follows from descriptions, with the reason. */
const BY_NAME: Record<string, string> = {
  'audit-log/subscribe.ts: user.loginFailed': 'failed logins of an hour are one entry',
  'caching/subscribe.ts: settings.changed': 'its own settings say whether there is a cache outside',
};

const sourcesIn = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(ROOT, folder, path), 'utf8') }));

const described = FEATURES.flatMap(({ events = {} }) => Object.keys(events));

describe('events', () => {
  it('each event has one description, and nothing else is emitted or subscribed to', () => {
    expect(new Set(described).size).toBe(described.length);
    const used = sourcesIn('src').flatMap(({ text }) =>
      [...text.matchAll(/\b(?:emit|on|afterCommit|isWanted|announce)\([^'()]*?'([a-z]+\.[a-zA-Z]+)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(new Set(used).size).toBeGreaterThan(15);
    expect(used.filter((name) => !described.includes(name))).toEqual([]);
  });

  it('the core describes those of content and settings, and the features their own', () => {
    expect(Object.keys(coreEvents).filter((name) => !/^(?:content|settings|site)\./.test(name))).toEqual([]);
  });

  it('undo, the audit log, rules and caches subscribe to no event by name, except for the listed reasons', () => {
    const named = ['transactions', 'audit-log', 'caching', 'content-rules'].flatMap((feature) =>
      sourcesIn(`src/features/${feature}`).flatMap(({ path, text }) =>
        [...text.matchAll(/\bevents\.(?:on|afterCommit)\(\s*'([\w.]+)'/g)].map(
          ([, name]) => `${path.slice('src/features/'.length)}: ${name}`,
        ),
      ),
    );
    expect(named.sort()).toEqual(Object.keys(BY_NAME));
  });

  it('an event that no feature describes is an error where it is emitted or subscribed to', () => {
    const events = new Events({});
    expect(() => events.on('content.created', () => {})).toThrow('No feature describes the event "content.created"');
    expect(() => events.describe('site.changed')).toThrow('No feature describes the event "site.changed"');
  });

  it('a package cannot describe an event of another feature', () => {
    const events = { 'content.created': coreEvents['content.created'] };
    expect(() => assembleWith([{ name: 'other', events }])).toThrow('There are two events content.created');
  });
});
