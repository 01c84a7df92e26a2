import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../places/place.ts';
import { writeHashedFile } from './hashed-file.ts';
import type { PlanEntry, PlanPiece } from './plan.ts';
import { inStableOrder } from './stable-json.ts';

/** The beginning of a file with a plan: `version` is that of its form. */
export const MARK = { format: 'canopy.plan', version: 1 };

/** The folder of the files that a plan brings. */
export const filesFolder = (file: string): string => `${file}.files`;

/** Writes a plan as it is made: one change a line, in a form that is JSON as a whole. */
export class PlanWriter {
  readonly #file: string;
  readonly #stream: ReturnType<typeof createWriteStream>;
  readonly #files = new Set<string>();
  #isFirst = true;

  constructor(file: string, plan: { from: string; to: string; setup: readonly PlanPiece[] }) {
    this.#file = file;
    this.#stream = createWriteStream(`${file}.part`);
    const { setup, ...sides } = plan;
    this.#stream.write(`${JSON.stringify({ ...MARK, ...sides }).slice(0, -1)},\n"setup":[`);
    this.#stream.write(setup.map((piece) => `\n${JSON.stringify(inStableOrder(piece))}`).join(','));
    this.#stream.write('],\n"entries":[');
  }

  async entry(entry: PlanEntry): Promise<void> {
    const text = `${this.#isFirst ? '' : ','}\n${JSON.stringify(inStableOrder(entry))}`;
    this.#isFirst = false;
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
  }

  /** Keeps a file beside the plan. */
  async file(hash: string, uid: string, from: Place): Promise<void> {
    if (this.#files.has(hash)) return;
    this.#files.add(hash);
    await writeHashedFile(join(filesFolder(this.#file), hash), () => from.file(hash, uid));
  }

  /** Ends the plan, which appears as a whole. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.on('error', reject);
      this.#stream.end(']}\n', () => resolve());
    });
    await rename(`${this.#file}.part`, this.#file);
  }

  /** Removes what was written of a plan that could not be made. */
  async discard(): Promise<void> {
    await new Promise((resolve) => this.#stream.end(resolve));
    await rm(`${this.#file}.part`, { force: true });
  }
}
