import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '#core';
import { ClientError } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { HOUR_MS } from '#lib/time/milliseconds';
import type { ApplyReport } from '../apply/apply-run.ts';
import { hashesIn, type ObjectForm } from '../forms/object-form.ts';
import { MAX_ENTRIES, MAX_PLAN_BYTES, type Plan } from '../forms/plan.ts';
import { isWithin } from '../forms/scope.ts';
import { type Application, memberOf, type Place } from './place.ts';

/** Milliseconds that one request may take. */
const TIMEOUT_MS = 120_000;
/** Milliseconds for a file. */
const FILE_TIMEOUT_MS = HOUR_MS;
/** Pauses in milliseconds before a plan is sent again, whose response was lost: longer together than a site may work on it. */
const PAUSES_MS = [1000, 2000, 5000, 10_000, 20_000, 40_000];
/** UIDs in one address. */
const MAX_UIDS = 50;

/** A site at an address: `token` is an access token of it. */
export type RemoteSite = { address: string; token: string | undefined };

/** There is no response. `isSent` says if the request may have been done. */
class NoResponse extends ConfigError {
  readonly isSent: boolean;

  constructor(message: string, isSent: boolean) {
    super(message);
    this.isSent = isSent;
  }
}

/** The site works on the same request still, for which it was sent before. */
class StillAtWork extends ClientError {}

/** Errors of connections that never came about. */
const NOT_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);

type Sending = { method?: string; text?: string; headers?: Record<string, string>; timeoutMs?: number };

/** Sends a request to a site. Throws ClientError for a refusal, NoResponse. */
async function send(
  { address, token }: RemoteSite,
  path: string,
  { method = 'GET', text, headers = {}, timeoutMs = TIMEOUT_MS }: Sending = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${address}${path}`, {
      method,
      // A redirect would take the token to another place.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        Accept: 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : undefined;
    const code = cause && 'code' in cause ? cause.code : undefined;
    const isSent = cause?.name === 'TimeoutError' || (typeof code === 'string' && !NOT_SENT.has(code));
    throw new NoResponse(`${address} does not respond: ${cause?.message ?? ''}`, isSent);
  }
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => undefined);
  const said = memberOf(problem, 'message');
  const message = `${address}: ${typeof said === 'string' ? said : `responds with the status ${response.status}.`}`;
  if (response.status === 409 && response.headers.has('retry-after'))
    throw new StillAtWork(409, 'RemoteRefusal', message);
  throw new ClientError(response.status, 'RemoteRefusal', message);
}

/**
 * Sends a write with a key of its own, and again under the same key when the response is lost: so it is done once. Throws as `send` does when
 * it was not sent at all, and when the site is away for too long.
 */
async function sendOnce(site: RemoteSite, path: string, text: string): Promise<Response> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(site, path, { method: 'POST', text, headers });
    } catch (error) {
      const isLost = error instanceof StillAtWork || (error instanceof NoResponse && (error.isSent || attempt > 0));
      const pauseMs = PAUSES_MS[attempt];
      if (!isLost || pauseMs === undefined) throw error;
      await pause(pauseMs);
    }
  }
}

/** Throws ConfigError for a plan that is too large for one request. */
function requireSize(size: { entries: number; bytes: number }): void {
  if (size.entries <= MAX_ENTRIES && size.bytes <= MAX_PLAN_BYTES) return;
  const bound = size.entries > MAX_ENTRIES ? `${MAX_ENTRIES} entries` : `${MAX_PLAN_BYTES / 1024 ** 2} MiB`;
  throw new ConfigError(
    `A site at an address takes a plan of ${bound} at most. Make one for each part of the site with --path, or apply it to the data of the site.`,
  );
}

const itemsOf = (body: unknown): ObjectForm[] => {
  const items = memberOf(body, 'items');
  if (!Array.isArray(items)) throw new ConfigError('The site does not respond as Canopy does. Is its version older?');
  // The other site checks what it returns against the same schema.
  return items as ObjectForm[];
};

/** The files that came along with a plan, in base64 by their hashes. Throws ConfigError when they are more than one request may have. */
async function filesFor({ plan, open }: Application): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  let bytes = 0;
  for (const hash of hashesOfPlan(plan)) {
    const stream = await open(hash);
    if (!stream) continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      requireSize({ entries: 0, bytes });
    }
    files[hash] = Buffer.concat(chunks).toString('base64');
  }
  return files;
}

/** Hashes of the files that a plan brings. */
function hashesOfPlan({ entries }: Plan): string[] {
  const hashes = entries.flatMap((entry): string[] => {
    if (entry.change === 'created') return hashesIn(entry);
    if (entry.change !== 'changed') return [];
    const values = Object.entries(entry.values).map(([name, both]): [string, unknown] => [name, both.to]);
    const before = Object.entries(entry.values).map(([name, both]): [string, unknown] => [name, both.from]);
    const had = hashesIn({ values: Object.fromEntries(before) });
    return hashesIn({ values: Object.fromEntries(values) }).filter((hash) => !had.includes(hash));
  });
  return [...new Set(hashes)].sort();
}

/** Says if a site has nothing at a path, or something that was moved away. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === 404 || (error.status >= 300 && error.status < 400));

/** Says if a response is the report of a plan. That of a plan that is sent again may be too long to be kept. */
const isReport = (body: unknown): body is ApplyReport =>
  Array.isArray(memberOf(body, 'created')) && Array.isArray(memberOf(body, 'conflicts'));

/** A site at an address, read and changed with the rights of a token. */
export function remotePlace(site: RemoteSite): Place {
  const json = async (path: string): Promise<unknown> => (await send(site, path)).json();
  return {
    label: site.address,
    async *objects(scope) {
      const { path, types = [] } = scope;
      const isRoot = path === '/';
      const base = isRoot ? '' : path.split('/').map(encodeURIComponent).join('/');
      for (let after: unknown = ''; typeof after === 'string'; ) {
        const query = new URLSearchParams({ after, ...(types.length > 0 && { type: types.join(',') }) });
        const page = await json(`${base}/@promotion?${query}`).catch((error: unknown) => {
          if (isRoot || !isElsewhere(error)) throw error;
          return undefined;
        });
        if (page === undefined) return;
        yield* itemsOf(page).filter((item) => isWithin(scope, item));
        after = memberOf(page, 'next');
      }
    },
    async load(uids) {
      const found: ObjectForm[] = [];
      for (let at = 0; at < uids.length; at += MAX_UIDS) {
        const query = new URLSearchParams({ uid: uids.slice(at, at + MAX_UIDS).join(',') });
        found.push(...itemsOf(await json(`/@promotion?${query}`)));
      }
      return found;
    },
    async setup() {
      const body = await json('/@promotion/set-up');
      const [files, notes] = [memberOf(body, 'files'), memberOf(body, 'notes')];
      return {
        files: new Map(isJsonObject(files) ? Object.entries(files) : []),
        notes: Array.isArray(notes) ? notes.map(String) : [],
      };
    },
    async file(hash, uid) {
      const address = `/@promotion/files/${hash}?uid=${encodeURIComponent(uid)}`;
      const { body } = await send(site, address, { timeoutMs: FILE_TIMEOUT_MS });
      return Readable.from(body ?? []);
    },
    async apply(application) {
      const { plan, rule, dryRun } = application;
      requireSize({ entries: plan.entries.length, bytes: 0 });
      const files = await filesFor(application);
      const text = JSON.stringify({ ...plan, conflicts: rule, files });
      requireSize({ entries: 0, bytes: Buffer.byteLength(text) });
      const response = await (dryRun
        ? send(site, '/@promotion?dry_run=1', { method: 'POST', text })
        : sendOnce(site, '/@promotion', text));
      const report: unknown = await response.json().catch(() => undefined);
      if (!isReport(report))
        throw new ConfigError(
          `${site.address} has applied the plan, and its report was lost. "canopy diff" shows what is left.`,
        );
      // A dry run has all changes of the site beside the report.
      const { created, changed, moved, removed, ordered, same, conflicts, setup, notes } = report;
      return { created, changed, moved, removed, ordered, same, conflicts, setup, notes };
    },
    close: async () => {},
  };
}
