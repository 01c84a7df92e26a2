import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.ts';
import { startTestSite, type TestSite } from './site.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';

type Options = Parameters<typeof startTestSite>[1];

/** A site or a mail server that the test need not close. */
export type SharedSite = Omit<TestSite, 'close'>;
type SharedSink = Omit<SmtpSink, 'close'>;

/** Stands for an object that is created later: each access to a member goes to the object that `made` returns then. */
function later<T extends object>(made: () => T): T {
  const nothing: Partial<T> = {};
  return new Proxy(nothing as T, {
    get: (_, name) => {
      const object = made();
      const member: unknown = Reflect.get(object, name, object);
      return typeof member === 'function' ? member.bind(object) : member;
    },
  });
}

/** A site for all tests of a suite: started before them, and closed after them. */
export function useTestSite(engine: Engine, options: () => Options = () => ({})): SharedSite {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine, options());
  });
  afterAll(() => site?.close());
  return later(() => site);
}

/** A site for all tests of a suite, with a mail server that accepts what the site sends. */
export function useMailingSite(
  engine: Engine,
  environment: Record<string, string> = {},
): { site: SharedSite; sink: SharedSink } {
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await startSmtpSink();
  });
  afterAll(() => sink?.close());
  const site = useTestSite(engine, () => ({ environment: { ...environment, SMTP_URL: sink.url } }));
  return { site, sink: later(() => sink) };
}
