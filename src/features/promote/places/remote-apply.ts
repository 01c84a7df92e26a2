import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '#core';
import { ClientError } from '#lib/errors';
import { textOf } from '#lib/json-object';
import { HOUR_MS } from '#lib/time/milliseconds';
import type { ApplyReport } from '../apply/apply-run.ts';
import { hashesIn } from '../forms/object-form.ts';
import { MAX_ENTRIES, MAX_PLAN_BYTES, type PlanEntry } from '../forms/plan.ts';
import { wholeEntries } from '../forms/plan-entries.ts';
import { type Application, memberOf } from './place.ts';
import { NoResponse, NotInTime, type RemoteSite, send, sendOnce } from './remote-site.ts';

/** Entries that are applied in one request, which ends after a minute. A job applies more. */
const MAX_AT_ONCE = 250;
/** Bytes of entries and files of one request. */
const PART_BYTES = 16 * 1024 * 1024;
/** Milliseconds between two looks at a job, and for how long a site may be away meanwhile. */
const LOOK_MS = 1000;
const MAX_AWAY_MS = HOUR_MS;

/** Hashes of the files that an entry brings. */
function hashesOf(entry: PlanEntry): string[] {
  if (entry.change === 'created') return hashesIn(entry);
  if (entry.change !== 'changed') return [];
  const sideOf = (side: 'from' | 'to') =>
    hashesIn({ values: Object.fromEntries(Object.entries(entry.values).map(([name, both]) => [name, both[side]])) });
  const had = sideOf('from');
  return sideOf('to').filter((hash) => !had.includes(hash));
}

/** A part of a plan, as it is sent: entries, and the files that no part before has. */
type Part = { from: number; entries: PlanEntry[]; files: Record<string, string>; bytes: number };

/** A file of a plan in base64; undefined where it did not come along. Throws ConfigError for one that is too large for a request. */
async function fileText({ open }: Pick<Application, 'open'>, hash: string): Promise<string | undefined> {
  const stream = await open(hash);
  if (!stream) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes * 1.4 > MAX_PLAN_BYTES - PART_BYTES)
      throw new ConfigError(
        `The file ${hash} is too large for a site at an address. Apply the plan to the data of the site.`,
      );
  }
  return Buffer.concat(chunks).toString('base64');
}

/** The parts that a plan is sent in, one after the other. */
async function* partsOf(application: Pick<Application, 'plan' | 'open'>): AsyncGenerator<Part> {
  const sent = new Set<string>();
  let part: Part = { from: 0, entries: [], files: {}, bytes: 0 };
  const { entries } = application.plan;
  let count = 0;
  for await (const entry of wholeEntries(entries, entries.outlines)) {
    count += 1;
    part.entries.push(entry);
    part.bytes += JSON.stringify(entry).length;
    for (const hash of hashesOf(entry)) {
      if (sent.has(hash)) continue;
      sent.add(hash);
      const text = await fileText(application, hash);
      if (text === undefined) continue;
      part.files[hash] = text;
      part.bytes += text.length;
    }
    if (part.entries.length < MAX_ENTRIES && part.bytes < PART_BYTES) continue;
    yield part;
    part = { from: count, entries: [], files: {}, bytes: 0 };
  }
  if (part.entries.length > 0) yield part;
}

/** Says if a response is the report of a plan. That of a plan that is sent again may be too long to be kept. */
const isReport = (body: unknown): body is ApplyReport =>
  Array.isArray(memberOf(body, 'created')) && Array.isArray(memberOf(body, 'conflicts'));

/** Applies a plan in one request. */
async function applyAtOnce(
  site: RemoteSite,
  { plan, rule, dryRun }: Application,
  { entries, files }: Pick<Part, 'entries' | 'files'>,
): Promise<ApplyReport> {
  const text = JSON.stringify({ setup: plan.setup, entries, conflicts: rule, files });
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
}

/** Waits until a job has worked on a stored plan. A site may be away meanwhile, such as for a restart. */
async function waitFor(site: RemoteSite, address: string): Promise<unknown> {
  let since = Date.now();
  for (;;) {
    await pause(LOOK_MS);
    try {
      const body: unknown = await (await send(site, address)).json();
      if (memberOf(body, 'state') !== 'waiting') return body;
      since = Date.now();
    } catch (error) {
      const isBusy = error instanceof NotInTime || (error instanceof ClientError && error.status >= 500);
      const isAway = error instanceof NoResponse || isBusy;
      if (!isAway || Date.now() - since > MAX_AWAY_MS) throw error;
    }
  }
}

/** Begins a plan that is sent in parts. Throws ConfigError for a site of a version that takes none. */
async function beginPlan(site: RemoteSite, text: string): Promise<unknown> {
  try {
    return await (await sendOnce(site, '/@promotion/plans', text)).json();
  } catch (error) {
    if (!(error instanceof ClientError) || ![404, 405].includes(error.status)) throw error;
    throw new ConfigError(
      `${site.address} takes no plan of this size, because its version is older. Make one for each part of the site with --path.`,
    );
  }
}

/** Sends a plan in parts, and has a job of the site apply it. */
async function applyByJob(
  site: RemoteSite,
  application: Application,
  parts: AsyncIterable<Part>,
): Promise<ApplyReport> {
  const { plan, rule, dryRun } = application;
  const begun = await beginPlan(site, JSON.stringify({ setup: plan.setup }));
  const address = `/@promotion/plans/${textOf(memberOf(begun, 'id'))}`;
  try {
    for await (const { from, entries, files } of parts)
      await sendOnce(site, `${address}/entries/${from}`, JSON.stringify({ entries, files }), 'PUT');
    await sendOnce(site, `${address}/apply`, JSON.stringify({ conflicts: rule, only_check: dryRun }));
    const body = await waitFor(site, address);
    const [report, problem] = [memberOf(body, 'report'), memberOf(body, 'problem')];
    if (isReport(report)) return report;
    const status = memberOf(problem, 'status');
    const message = textOf(memberOf(problem, 'message'));
    throw new ClientError(typeof status === 'number' ? status : 500, 'RemoteRefusal', `${site.address}: ${message}`);
  } finally {
    // One that a job still applies stays, and the site removes it in the end.
    await send(site, address, { method: 'DELETE' }).catch(() => undefined);
  }
}

/** Some parts that were made before, and the others. */
async function* withFirst(first: readonly Part[], others: AsyncIterable<Part>): AsyncGenerator<Part> {
  yield* first;
  yield* others;
}

/**
 * Applies a plan to a site at an address: a small one in one request, a large one by a job of the site. Both are one transaction there. Throws
 * ClientError for what the site rejects.
 */
export async function applyAt(site: RemoteSite, application: Application): Promise<ApplyReport> {
  const parts = partsOf(application);
  const first = await parts.next();
  const second = first.done ? first : await parts.next();
  const isSmall = application.plan.entries.outlines.length <= MAX_AT_ONCE && second.done === true;
  if (isSmall) return applyAtOnce(site, application, first.done ? { entries: [], files: {} } : first.value);
  const made = [first, second].flatMap((part) => (part.done ? [] : [part.value]));
  return applyByJob(site, application, withFirst(made, parts));
}

/** Bytes of a proposal of a site. */
const MAX_PROPOSAL_BYTES = 1024 * 1024;

/** Throws ConfigError for a part that is too large for a proposal. */
function requireProposalSize({ bytes }: Pick<Part, 'bytes'>): void {
  if (bytes > MAX_PROPOSAL_BYTES)
    throw new ConfigError(
      'A proposal has 1 MiB at most, with its files. Make a plan for each part of the site with --path.',
    );
}

/** Hands a plan in as a proposal. Throws ConfigError for one that is too large, ClientError for what the site rejects. */
export async function proposeAt(
  site: RemoteSite,
  application: Omit<Application, 'dryRun'>,
  words: { title: string; comment: string },
): Promise<string> {
  const { plan, rule } = application;
  const files: Part['files'] = {};
  const entries: PlanEntry[] = [];
  for await (const part of partsOf(application)) {
    Object.assign(files, part.files);
    entries.push(...part.entries);
    requireProposalSize(part);
  }
  const body = { setup: plan.setup, entries, conflicts: rule, files };
  const requests = [{ method: 'POST', path: '/@promotion', body }];
  const text = JSON.stringify({ ...words, requests });
  requireProposalSize({ bytes: Buffer.byteLength(text) });
  const made: unknown = await (await sendOnce(site, '/@proposals', text)).json();
  return textOf(memberOf(made, '@id'));
}
