/** The clean-up work for the end of this process, newest last. */
const pending = new Set();

/**
 * Registers work that must be done before this process ends, also when it is interrupted
 * (child processes to stop, directories to remove). Returns a function that does it now, once.
 */
export function onEnd(work) {
  let done;
  const once = () => {
    pending.delete(once);
    done ??= Promise.resolve().then(work);
    return done;
  };
  pending.add(once);
  return once;
}

/** Does all registered work, newest first. After a failure the others are still done. */
async function endAll() {
  for (const work of [...pending].reverse()) {
    try {
      await work();
    } catch (error) {
      process.exitCode = 1;
      console.error('While cleaning up:', error);
    }
  }
}

/**
 * Runs a command-line program: afterwards, and on SIGINT and SIGTERM, everything registered with
 * `onEnd` is done. The result of `main` is the exit code; an error is printed and means 1.
 */
export async function runMain(main) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => endAll().finally(() => process.exit(code)));
  }
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  await endAll();
}
