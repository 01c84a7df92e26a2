import { createReadStream, existsSync } from 'node:fs';
import { open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Value } from 'typebox/value';
import { ConfigError } from '#core';
import { isJsonObject } from '#lib/json-object';
import { isPlan, PlanEntry } from './plan.ts';
import { entriesInMemory, type Outline, outlineOf, type PlanEntries, type ReadablePlan } from './plan-entries.ts';
import { filesFolder, MARK } from './plan-file.ts';

/** A plan of a file, and how its files are opened. */
export type LoadedPlan = { plan: ReadablePlan; open(hash: string): Promise<Readable | undefined> };

/** The line with which the entries of a plan begin. */
const ENTRIES = '"entries":[';

/** The lines of a file with the bytes where they begin, one after the other. */
async function* linesOf(file: string): AsyncGenerator<{ at: number; bytes: Buffer }> {
  let left = Buffer.alloc(0);
  let at = 0;
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.concat([left, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield { at: at + from, bytes: bytes.subarray(from, end) };
      from = end + 1;
    }
    left = bytes.subarray(from);
    at += from;
  }
  if (left.length > 0) yield { at, bytes: left };
}

/** The value of a JSON text; undefined for another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A place of a text in a file, in bytes. */
type Slice = { at: number; length: number };

/** The entries of a file by their places in it, of which those that are asked for are read. */
const entriesAt = (file: string, outlines: readonly Outline[], slices: readonly Slice[]): PlanEntries => ({
  outlines,
  async load(numbers) {
    const handle = await openFile(file);
    try {
      const entries: PlanEntry[] = [];
      for (const number of numbers) {
        const { at, length } = slices[number] ?? { at: 0, length: 0 };
        const { buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
        const entry = parsed(buffer.toString());
        if (!Value.Check(PlanEntry, entry)) throw new ConfigError(`${file} was changed meanwhile.`);
        entries.push(entry);
      }
      return entries;
    } finally {
      await handle.close();
    }
  },
});

/** The head of a plan and its entries, where the file has a line for each of them, as `canopy diff` writes it; undefined for another layout. */
async function readByLines(file: string): Promise<{ head: unknown; entries: PlanEntries } | undefined> {
  let text = '';
  let head: unknown;
  const outlines: Outline[] = [];
  const slices: Slice[] = [];
  for await (const { at, bytes } of linesOf(file)) {
    const line = bytes.toString();
    if (head === undefined) {
      text += `${line}\n`;
      if (!line.startsWith(ENTRIES)) continue;
      head = parsed(line === ENTRIES ? `${text}]}` : text);
      if (head === undefined) return undefined;
      continue;
    }
    const end = /(?:,|\]\})$/.exec(line)?.[0].length ?? 0;
    const entry = parsed(line.slice(0, line.length - end));
    if (!Value.Check(PlanEntry, entry)) return undefined;
    slices.push({ at, length: bytes.length - end });
    outlines.push(outlineOf(entry, outlines.length));
  }
  return head === undefined ? undefined : { head, entries: entriesAt(file, outlines, slices) };
}

/** Loads a plan that somebody has formatted anew. Throws ConfigError for a file that cannot be read. */
async function readWhole(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Loads a plan, of which outlines are in memory. Throws ConfigError for another file. */
export async function loadPlan(file: string): Promise<LoadedPlan> {
  // The file is read as a whole then, which names its faults.
  const byLines = existsSync(file) ? await readByLines(file).catch(() => undefined) : undefined;
  const data = byLines?.head ?? (await readWhole(file));
  if (!isJsonObject(data) || data.format !== MARK.format)
    throw new ConfigError(`${file} is no plan of "canopy diff --out".`);
  if (typeof data.version !== 'number' || data.version > MARK.version)
    throw new ConfigError(`${file} was made by a newer version of Canopy.`);
  const plan = { setup: data.setup, entries: data.entries };
  if (!isPlan(plan)) throw new ConfigError(`${file} has something else where its changes should be. Make it anew.`);
  return {
    plan: { setup: plan.setup, entries: byLines?.entries ?? entriesInMemory(plan.entries) },
    async open(hash) {
      const place = join(filesFolder(file), hash);
      return existsSync(place) ? createReadStream(place) : undefined;
    },
  };
}
