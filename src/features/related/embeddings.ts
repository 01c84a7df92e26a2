import { setTimeout as sleep } from 'node:timers/promises';
import { type Kernel, searchWords } from '#core';
import { OutsideService } from '#lib/http/outside-service';
import { logMark, type Trace } from '#lib/process/trace';
import { Slot } from '#lib/slots';
import { EmbeddingFailed, type EmbeddingService, embed } from './embedding-client.ts';
import {
  nearestTo,
  type TextScope,
  type Unembedded,
  unembeddedAfter,
  unembeddedAmong,
  writeEmbeddings,
} from './statements.ts';

/** Characters of an object that its vector is computed from: models read some thousand words at most. */
const MAX_TEXT_LENGTH = 6000;

/** The text of an object for a language model: title, summary and tags, then the beginning of its body. */
function embeddingText(blocks: Kernel['blocks'], { title, description, fields }: Unembedded): string {
  const { subjects, body } = searchWords.plainText(blocks, fields);
  const text = [title, description, subjects, body]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
  // The cut may split a surrogate pair, which JSON cannot carry.
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/** Number of objects that are sent to the service at once. */
const BATCH = 16;
/** Maximum number of remembered changed objects; beyond it all objects are scanned. */
const MAX_PENDING = 10_000;
/** Milliseconds to wait after a failure; the time doubles up to the maximum. */
const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/**
 * Keeps the vectors of content up to date in the background: after each write, and from the start of the process for objects without a vector. After
 * a failure of the service it tries again later; no request waits for it.
 */
class Embeddings {
  readonly #kernel: Kernel;
  readonly #service: EmbeddingService;
  readonly #pending = new Set<number>();
  /**
   * The last number that the scan of all objects has reached; undefined when it is complete. The scan finds objects without an event in this process,
   * such as imported and older objects.
   */
  #scanned: number | undefined = -1;
  #working = false;

  constructor(kernel: Kernel, service: EmbeddingService) {
    this.#kernel = kernel;
    this.#service = service;
    const schedule = ({ oid }: { oid: number }): void => this.schedule(oid);
    kernel.events.afterCommit('content.created', schedule);
    kernel.events.afterCommit('content.modified', schedule);
  }

  /** The name of the model that computes the vectors. */
  get model(): string {
    return this.#service.model;
  }

  /**
   * The numbers of the objects whose meaning is nearest to a text, the nearest first; empty when the service fails, which is logged. One request to
   * the service, and one statement. `trace` is the request that needs the result.
   */
  async nearestTo(text: string, scope: TextScope, trace?: Trace): Promise<number[]> {
    try {
      const [vector] = await embed(this.#service, [text.slice(0, MAX_TEXT_LENGTH).toWellFormed()], trace);
      return vector ? await nearestTo(this.#kernel.db, vector, { ...scope, model: this.model }) : [];
    } catch (error) {
      if (!(error instanceof EmbeddingFailed)) throw error;
      this.#kernel.log.warn(
        { err: error, ...logMark(trace) },
        'a text has no embedding; only its words are looked for',
      );
      return [];
    }
  }

  /** Schedules the computation of an object's vector if it needs one. Returns at once. */
  schedule(oid: number): void {
    if (this.#pending.size < MAX_PENDING) this.#pending.add(oid);
    else this.#scanned = -1;
    if (!this.#working) void this.#work();
  }

  /** Works until nothing is left to do. Never throws, because no caller awaits it. */
  async #work(): Promise<void> {
    this.#working = true;
    let wait = MIN_WAIT_MS;
    while (this.#pending.size > 0 || this.#scanned !== undefined) {
      try {
        await this.#computeNext();
        wait = MIN_WAIT_MS;
      } catch (error) {
        this.#kernel.log.warn({ err: error }, 'making embeddings failed; trying again later');
        // The timer must not keep an ending process alive.
        await sleep(wait, undefined, { ref: false });
        wait = Math.min(MAX_WAIT_MS, wait * 2);
      }
    }
    this.#working = false;
  }

  /** Computes the next vectors. Pending objects come first, because they have just changed. */
  async #computeNext(): Promise<void> {
    const { db } = this.#kernel;
    const oids = [...this.#pending].slice(0, BATCH);
    if (oids.length === 0) return this.#scan(this.#scanned ?? -1);
    // Removed before the request, so that an object that changes meanwhile is scheduled again.
    for (const oid of oids) this.#pending.delete(oid);
    try {
      await this.#compute(await unembeddedAmong(db, this.model, oids));
    } catch (error) {
      for (const oid of oids) this.#pending.add(oid);
      throw error;
    }
  }

  /** Computes the next missing vectors of objects with numbers above `after`. */
  async #scan(after: number): Promise<void> {
    const objects = await unembeddedAfter(this.#kernel.db, this.model, after, BATCH);
    await this.#compute(objects);
    // If too many changed meanwhile, the scan starts from the beginning.
    if (this.#scanned === after) this.#scanned = objects.at(-1)?.oid;
  }

  /** Computes and stores the vectors of objects. Texts that the service rejects are skipped one by one. */
  async #compute(objects: readonly Unembedded[]): Promise<void> {
    const withText = objects
      .map((object) => ({ ...object, text: embeddingText(this.#kernel.blocks, object) }))
      .filter(({ text }) => text !== '');
    try {
      const vectors = await embed(
        this.#service,
        withText.map(({ text }) => text),
      );
      const embeddings = withText.flatMap(({ oid, modified }, i) => {
        const vector = vectors[i];
        return vector ? [{ oid, modified, vector }] : [];
      });
      if (embeddings.length > 0) await writeEmbeddings(this.#kernel.db, this.model, embeddings);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed && error.refused)) throw error;
      if (withText.length > 1) for (const object of withText) await this.#compute([object]);
      else this.#kernel.log.warn({ err: error, oid: withText[0]?.oid }, 'the embedding service refuses an object');
    }
  }
}

/** Computes the vectors of the site's content; the slot is empty when no service and model are configured. */
export const EMBEDDINGS = new Slot<Embeddings>('embeddings');

/** Fills the slot `EMBEDDINGS` if a service and a model are configured. */
export function fillEmbeddings(kernel: Kernel): void {
  const { llm } = kernel.config;
  if (llm?.embeddingModel === undefined) return;
  kernel.slots.set(
    EMBEDDINGS,
    new Embeddings(kernel, {
      url: llm.url,
      model: llm.embeddingModel,
      apiKey: llm.apiKey,
      service: new OutsideService('The embedding service'),
    }),
  );
}
