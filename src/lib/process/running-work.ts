/**
 * Pieces of work that run concurrently, at most `atMost` at once. `onError` gets the error of a piece; `onEnd` is called after each piece, when there
 * is room for another.
 */
export class RunningWork {
  readonly #running = new Set<Promise<void>>();
  readonly #atMost: number;
  readonly #onError: (error: unknown) => void;
  readonly #onEnd: () => void;

  constructor({ atMost, onError, onEnd }: { atMost: number; onError(error: unknown): void; onEnd(): void }) {
    this.#atMost = atMost;
    this.#onError = onError;
    this.#onEnd = onEnd;
  }

  /** True if another piece may begin. */
  get hasRoom(): boolean {
    return this.#running.size < this.#atMost;
  }

  /** Notes a piece that has begun. */
  add(piece: Promise<void>): void {
    const work = piece.catch(this.#onError).finally(() => {
      this.#running.delete(work);
      this.#onEnd();
    });
    this.#running.add(work);
  }

  /** Resolves when all pieces that have begun are over. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
