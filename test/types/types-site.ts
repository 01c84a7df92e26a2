import { expect } from 'vitest';
import type { Exchange, Json, RequestOptions } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

const PANEL = '/@controlpanels/dexterity-types';

/** Helpers for tests of types. */
export function typesSite(site: SharedSite) {
  let number = 0;
  const ask = (method: string, path: string, json?: Json, options: RequestOptions = {}): Promise<Exchange> =>
    site.request(method, path, { ...(json !== undefined && { json }), ...options });
  /** Sends a request and expects a status. */
  async function done(status: number, method: string, path: string, json?: Json): Promise<Json> {
    const answer = await ask(method, path, json);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    return answer.body;
  }
  return {
    ask,
    done,
    fresh: (prefix: string) => `${prefix}${++number}`,
    read: (path: string) => done(200, 'GET', path),
    /** The messages of a rejected request, by setting. */
    async problems(method: string, path: string, json: Json): Promise<Json> {
      const { errors } = await done(400, method, path, json);
      return Object.fromEntries(errors.map(({ field, message }: Json) => [field ?? '', message]));
    },
    /** The message of a rejected request. */
    refusal: async (method: string, path: string, json?: Json): Promise<string> =>
      (await done(400, method, path, json)).message,
    schema: (type: string) => done(200, 'GET', `/@types/${type}`),
    /** Creates a type with a title and these behaviors. Returns its id. */
    async newType(settings: Json = {}): Promise<string> {
      const id = `Kind${++number}`;
      await done(201, 'POST', PANEL, { id, title: `Kind ${number}`, ...settings });
      return id;
    },
    addField: (type: string, field: Json) => done(201, 'POST', `/@types/${type}`, field),
    /** Creates content in the root. Returns its address. */
    create: async (type: string, values: Json = {}): Promise<string> =>
      (await done(201, 'POST', '/', { '@type': type, title: `Content ${++number}`, ...values }))['@id'],
    panel: (type: string) => `${PANEL}/${type}`,
  };
}
