/** Looks for work when it is woken, and from time to time by itself, one look after the other. */
export type WakeLoop = {
  /** Looks now, or after the look that is under way. Does nothing once the loop is closed. */
  wake(): void;
  /** True after `close`: a look that is under way begins nothing more. */
  isClosed(): boolean;
  /** Ends the loop; resolves when the look under way is done. */
  close(): Promise<void>;
};

export type WakeLoopOptions = {
  /** Looks for work once. May return the milliseconds until the next look, if that is sooner than `intervalMs`. */
  look(): Promise<number | undefined>;
  /** Milliseconds after which it looks without being woken, such as for lost notifications. */
  intervalMs: number;
  /** Gets the error of a look; the loop goes on. */
  onError(error: unknown): void;
};

/** Begins a loop, which sleeps until it is woken for the first time. It does not keep the process from ending. */
export function startWakeLoop({ look, intervalMs, onError }: WakeLoopOptions): WakeLoop {
  let closed = false;
  let wokenAgain = false;
  let looking: Promise<void> | undefined;
  let timer = setTimeout(wake, intervalMs).unref();

  async function lookOnce(): Promise<number> {
    try {
      return Math.min(intervalMs, (await look()) ?? intervalMs);
    } catch (error) {
      onError(error);
      return intervalMs;
    }
  }

  async function run(): Promise<void> {
    let wait = intervalMs;
    do {
      wokenAgain = false;
      wait = await lookOnce();
    } while (wokenAgain && !closed);
    looking = undefined;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(wake, wait).unref();
  }

  function wake(): void {
    wokenAgain = true;
    if (!closed) looking ??= run();
  }

  return {
    wake,
    isClosed: () => closed,
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
