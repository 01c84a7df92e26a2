import {
  type Caller,
  type ContentEvents,
  type EventName,
  journal,
  type Kernel,
  type Site,
  type Transaction,
} from '#core';
import { RECORDER, Recorder } from './recorder.ts';
import { pruneNowAndThen } from './retention.ts';

/** Records the steps of an event, as its description says. */
function follow<N extends EventName>({ events }: Kernel, recorder: Recorder, name: N): void {
  const { record } = events.describe(name);
  if (!('steps' in record)) return;
  events.on(name, (event: ContentEvents[N], { tx, caller }: { tx: Transaction; caller: Caller }) => {
    const { site }: object & { site?: Site | undefined } = event;
    for (const step of record.steps(event))
      recorder.record(tx, caller, step, step.action === 'edited' ? site : undefined);
  });
}

/** Records what happens, in the transaction in which it happens. */
export function subscribeRecorder(kernel: Kernel): void {
  const recorder = new Recorder(kernel.slots.get(journal.STEP_KINDS), pruneNowAndThen(kernel));
  kernel.slots.set(RECORDER, recorder);
  for (const name of kernel.events.names) follow(kernel, recorder, name);
}
