import {
  type Caller,
  type ContentEvents,
  type EventName,
  journal,
  type Kernel,
  publishing,
  type Site,
  type Transaction,
} from '#core';
import { RECORDER, Recorder } from './recorder.ts';
import { pruneNowAndThen } from './retention.ts';

/** Records the steps of an event and its notes for the feed of changes, by the description of the event. */
function follow<N extends EventName>({ events }: Kernel, recorder: Recorder, name: N): void {
  const { record, changes } = events.describe(name);
  if (!('steps' in record) && changes === null) return;
  events.on(name, (event: ContentEvents[N], { tx, caller }: { tx: Transaction; caller: Caller }) => {
    const { site }: object & { site?: Site | undefined } = event;
    if ('steps' in record)
      for (const step of record.steps(event))
        recorder.record(tx, caller, step, step.action === 'edited' ? site : undefined);
    if (changes) recorder.note(tx, caller, changes(event));
  });
}

/** Records all described events in their transactions. */
export function subscribeRecorder(kernel: Kernel): void {
  const recorder = new Recorder(kernel.slots.get(journal.STEP_KINDS), {
    afterRecord: pruneNowAndThen(kernel),
    isDated: () => kernel.sites.last === undefined || publishing.datesAct(kernel.sites.last),
  });
  kernel.slots.set(RECORDER, recorder);
  for (const name of kernel.events.names) follow(kernel, recorder, name);
}
