import { setTimeout as sleep } from 'node:timers/promises';
import { blocksText } from '../../content/blocks/searchable-text.ts';
import { Slot } from '../../lib/slots.ts';
import type { Kernel } from '../../site/kernel.ts';
import { EmbeddingFailed, type EmbeddingService, embed } from './embedding-client.ts';
import { type Unembedded, unembeddedAfter, unembeddedAmong, writeEmbeddings } from './statements.ts';

/** Characters of an object that its vector is made of: models read some thousand words at most. */
const MOST_TEXT = 6000;

/** Plain text of stored rich text, without its tags. */
function richText(value: unknown): string {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined;
  return typeof data === 'string' ? data.replace(/<[^<>]*>/g, ' ') : '';
}

/** What an object says, for a language model: title, summary, tags, then its text as far as it is read. */
function embeddingText({ title, description, fields }: Unembedded): string {
  const subjects = Array.isArray(fields.subjects) ? fields.subjects.join(', ') : '';
  const parts = [title, description, subjects, blocksText(fields.blocks, fields.blocks_layout), richText(fields.text)];
  const text = parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
  // Cutting may split a character in two, which JSON cannot carry.
  return text.slice(0, MOST_TEXT).toWellFormed();
}

/** Objects that are sent to the service at once. */
const BATCH = 16;
/** Changed objects that are kept in mind; with more of them all objects are looked through instead. */
const MAX_NOTED = 10_000;
/** Milliseconds before the service is asked again after a failure; they double up to the longest. */
const FIRST_WAIT = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * Keeps the vectors of content up to date, in the background and best effort: after each write, and at its start for
 * whatever has none yet. A service that does not answer is asked again later; nothing waits for it.
 */
class Embeddings {
  readonly #kernel: Kernel;
  readonly #service: EmbeddingService;
  readonly #noted = new Set<number>();
  /**
   * How far all objects were looked through, as some may lack a vector that nobody noted: those of imports, and those
   * from before this process began. Undefined when that is done.
   */
  #seen: number | undefined = -1;
  #working = false;

  constructor(kernel: Kernel, service: EmbeddingService) {
    this.#kernel = kernel;
    this.#service = service;
    const note = ({ oid }: { oid: number }): void => this.note(oid);
    kernel.events.afterCommit('content.created', note);
    kernel.events.afterCommit('content.modified', note);
  }

  /** The model that the vectors are of. */
  get model(): string {
    return this.#service.model;
  }

  /** Has the vector of an object made, if it needs one. Returns at once. */
  note(oid: number): void {
    if (this.#noted.size < MAX_NOTED) this.#noted.add(oid);
    else this.#seen = -1;
    if (!this.#working) void this.#work();
  }

  /** Works until nothing is left to do. Never throws: nobody waits for it. */
  async #work(): Promise<void> {
    this.#working = true;
    let wait = FIRST_WAIT;
    while (this.#noted.size > 0 || this.#seen !== undefined) {
      try {
        await this.#workOff();
        wait = FIRST_WAIT;
      } catch (error) {
        this.#kernel.log.warn({ err: error }, 'making embeddings failed; trying again later');
        // It must not keep a process alive that is about to end.
        await sleep(wait, undefined, { ref: false });
        wait = Math.min(MAX_WAIT_MS, wait * 2);
      }
    }
    this.#working = false;
  }

  /** Makes the next vectors. What is noted comes first: it was changed just now. */
  async #workOff(): Promise<void> {
    const { db } = this.#kernel;
    const oids = [...this.#noted].slice(0, BATCH);
    if (oids.length === 0) return this.#lookThrough(this.#seen ?? -1);
    // Taken off before: what changes meanwhile is noted once more.
    for (const oid of oids) this.#noted.delete(oid);
    try {
      await this.#make(await unembeddedAmong(db, this.model, oids));
    } catch (error) {
      for (const oid of oids) this.#noted.add(oid);
      throw error;
    }
  }

  /** Makes the next vectors that are missing beyond the object with this number. */
  async #lookThrough(after: number): Promise<void> {
    const objects = await unembeddedAfter(this.#kernel.db, this.model, after, BATCH);
    await this.#make(objects);
    // Too many were noted meanwhile: the way begins anew.
    if (this.#seen === after) this.#seen = objects.at(-1)?.oid;
  }

  /** Makes and keeps the vectors of objects. Texts that the service refuses are passed over, each by itself. */
  async #make(objects: readonly Unembedded[]): Promise<void> {
    const speaking = objects
      .map((object) => ({ ...object, text: embeddingText(object) }))
      .filter(({ text }) => text !== '');
    try {
      const vectors = await embed(
        this.#service,
        speaking.map(({ text }) => text),
      );
      const embeddings = speaking.flatMap(({ oid, modified }, i) => {
        const vector = vectors[i];
        return vector ? [{ oid, modified, vector }] : [];
      });
      if (embeddings.length > 0) await writeEmbeddings(this.#kernel.db, this.model, embeddings);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed && error.refused)) throw error;
      if (speaking.length > 1) for (const object of speaking) await this.#make([object]);
      else this.#kernel.log.warn({ err: error, oid: speaking[0]?.oid }, 'the embedding service refuses an object');
    }
  }
}

/** The vectors of the site's content; empty where no service and model are configured. */
export const EMBEDDINGS = new Slot<Embeddings>('embeddings');

/** Keeps the vectors of the site's content up to date, where a service and a model for them are configured. */
export function fillEmbeddings(kernel: Kernel): void {
  const { llm } = kernel.config;
  if (llm?.embeddingModel === undefined) return;
  kernel.slots.set(EMBEDDINGS, new Embeddings(kernel, { url: llm.url, model: llm.embeddingModel, apiKey: llm.apiKey }));
}
