import { createHash } from 'node:crypto';
import type { Transaction } from '#core';
import type { JsonObject } from '#lib/json-object';
import type { ImportDifferences } from '../again/log.ts';
import { REASONS } from '../import-reasons.ts';
import type { ImportProblem } from '../import-report.ts';
import { insertLines, type LineKind, type ReportLine } from '../statements/uploaded-lines.ts';

/** Maximum number of lines of one kind in a stored report; the counts go on. */
export const MAX_STORED_LINES = 20_000;

/** Maximum length of a text in a line, in characters. */
const MAX_TEXT_LENGTH = 2000;

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT_LENGTH
    ? `${value.slice(0, MAX_TEXT_LENGTH)}…`.toWellFormed()
    : value;

/** A text that stands for a line. */
const markOf = (kind: LineKind, line: JsonObject): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, line]))
    .digest('base64url')
    .slice(0, 22);

/** The lines that a job finds, until a transaction stores them. */
export class ReportLines {
  readonly #counts = new Map<LineKind, number>();
  #waiting: ReportLine[] = [];

  #add(kind: LineKind, effect: string | null, values: JsonObject): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > MAX_STORED_LINES) return;
    const line = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shortened(value)]));
    this.#waiting.push({ kind, effect, mark: markOf(kind, line), line });
  }

  /** Adds a problem that an import has found. */
  problem({ reason, file, path, key, message }: ImportProblem): void {
    const { effect } = REASONS[reason];
    this.#add('problem', effect, { reason, effect, file, path, key, message });
  }

  /** Adds a sentence of an import of an own export. */
  sentence(effect: 'lost' | 'added', message: string): void {
    this.#add('problem', effect, { reason: effect, effect, file: null, path: null, key: null, message });
  }

  /** Adds the differences from the last import of the same site. */
  differences({ changes, conflicts }: ImportDifferences): void {
    for (const { change, path, parts, from } of changes)
      this.#add('change', change, { change, path, parts, from: from ?? null });
    for (const { path, uid, part, block, here, there, counts } of conflicts)
      this.#add('conflict', counts, { path, uid, part, block: block ?? null, here, there, counts });
  }

  /** Stores the lines that wait in a transaction. Call the returned function once the transaction is committed. */
  async store(tx: Transaction, id: string): Promise<() => void> {
    const stored = this.#waiting.length;
    await insertLines(tx, id, this.#waiting);
    return () => {
      this.#waiting = this.#waiting.slice(stored);
    };
  }
}
