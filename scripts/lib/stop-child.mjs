/**
 * Ends a child process with `signal` and waits until it is gone; SIGKILL follows after `grace`
 * milliseconds. Does nothing when it has ended already.
 */
export async function stopChild(child, signal = 'SIGTERM', grace = 10_000) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), grace);
  await gone;
  clearTimeout(timer);
}
