import { asDeclared, isObject, textOf } from './json.ts';

/** A value of an index with the number of results that have it. */
export type FacetValue = { value: string | boolean; title: string; count: number };

/** The results of one request. */
export type Batch<Item> = {
  items: Item[];
  /** Total number of results that the caller may see. */
  total: number;
  /** Values of the requested indexes. */
  facets: { [index: string]: FacetValue[] };
  /** A corrected search text with existing words, if nothing was found. */
  didYouMean: string | undefined;
  /** The address of the next batch. */
  next: string | undefined;
};

/** Reads a batch from the response of a listing. */
export function batchOf<Item>(response: unknown): Batch<Item> {
  const body = isObject(response) ? response : {};
  const items = Array.isArray(body.items) ? body.items : [];
  return {
    items: asDeclared<Item[]>(items),
    total: typeof body.items_total === 'number' ? body.items_total : items.length,
    facets: asDeclared<Batch<Item>['facets']>(body.facets ?? {}),
    didYouMean: textOf(body, 'did_you_mean'),
    next: textOf(body.batching, 'next'),
  };
}

/** Loads a batch: the first, or the batch at an address. */
export type LoadBatch<Item> = (next: string | undefined) => Promise<Batch<Item>>;

/**
 * A list that comes in batches. A batch is loaded when it is needed; each iteration begins at the first batch. `for await (const item of listing)`
 * goes through all items, however many there are.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #load: LoadBatch<Item>;

  constructor(load: LoadBatch<Item>) {
    this.#load = load;
  }

  /** The first batch. */
  first(): Promise<Batch<Item>> {
    return this.#load(undefined);
  }

  /** One batch after the other, by the links of the server. */
  async *batches(): AsyncGenerator<Batch<Item>, void, undefined> {
    let batch = await this.first();
    yield batch;
    while (batch.next !== undefined) {
      batch = await this.#load(batch.next);
      yield batch;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.batches()) yield* items;
  }

  /** The first items as a list, at most `limit`. */
  async take(limit: number): Promise<Item[]> {
    const taken: Item[] = [];
    if (limit > 0)
      for await (const item of this) {
        taken.push(item);
        if (taken.length >= limit) break;
      }
    return taken;
  }
}
