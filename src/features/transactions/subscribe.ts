import type { ContentEvents, EventName, Kernel, Site } from '#core';
import { RECORDER, Recorder } from './recorder.ts';
import { pruneNowAndThen } from './retention.ts';
import { type Step, storedDates } from './steps.ts';

/** Children of a container whose positions are kept: who sorts more cannot undo it. */
const MAX_MOVES = 1000;

/** How a subscriber is made: what is recorded of an event, undefined for nothing, and the site as it is then. */
type Follow = <N extends EventName>(
  name: N,
  stepOf: (event: ContentEvents[N]) => Step | undefined,
  siteOf?: (event: ContentEvents[N]) => Site,
) => void;

function followContent(follow: Follow): void {
  // The root of a new site has nobody who could undo it.
  follow('content.created', ({ oid, site }) => (site ? { action: 'created', content: oid, data: {} } : undefined));
  follow('content.copied', ({ oid, from, to }) => ({
    action: 'copied',
    content: oid,
    path: to,
    data: { source: from },
  }));
  follow('content.restored', ({ oid, from, to }) => ({
    action: 'restored',
    content: oid,
    path: to,
    data: { source: from },
  }));
  follow('content.removing', ({ oid, path, recyclable, checkedIn }) =>
    checkedIn === undefined
      ? { action: 'deleted', content: oid, path, data: { recyclable } }
      : { action: 'checkedIn', content: oid, path, data: { into: checkedIn } },
  );
  follow(
    'content.modified',
    ({ oid, fields }) => ({ action: 'edited', content: oid, data: { fields, versions: 1 } }),
    ({ site }) => site,
  );
}

function followPlaces(follow: Follow): void {
  follow('content.moved', ({ oid, from, to, before, after }) => ({
    action: 'moved',
    content: oid,
    path: to,
    data: { source: from, before, after },
  }));
  follow('content.reordered', ({ parent, moves }) => {
    if (moves?.length === 0) return undefined;
    const isKept = moves !== undefined && moves.length <= MAX_MOVES;
    return { action: 'ordered', content: parent, data: { moves: isKept ? moves : null } };
  });
}

function followRights(follow: Follow): void {
  follow('content.transitioned', ({ oid, transition, from, to, dates }) => ({
    action: 'workflow',
    content: oid,
    data: { transition, from, to, dates: storedDates(dates) },
  }));
  follow('content.shared', ({ oid, before, after }) => ({ action: 'shared', content: oid, data: { before, after } }));
  follow('content.translated', ({ oid, before, after }) => ({
    action: 'translated',
    content: oid,
    data: { before, after },
  }));
}

function followOthers(follow: Follow): void {
  follow('comment.created', ({ oid }) => ({ action: 'commented', content: oid, data: { comment: 'added' } }));
  follow('comment.changed', ({ oid }) => ({ action: 'commented', content: oid, data: { comment: 'edited' } }));
  follow('comment.removing', ({ oid }) => ({ action: 'commented', content: oid, data: { comment: 'deleted' } }));
  follow('comment.transitioned', ({ oid, to }) => ({ action: 'commented', content: oid, data: { comment: to } }));
  follow('settings.changed', ({ panels, names }) => ({
    action: 'settings',
    content: null,
    path: '/',
    data: { panels, names },
  }));
  follow('site.changed', ({ path = '/', ...data }) => ({ action: 'site', content: null, path, data }));
  follow('user.created', ({ id }) => ({ action: 'user', content: null, path: '/', data: { id, change: 'created' } }));
  follow('user.removing', ({ id }) => ({ action: 'user', content: null, path: '/', data: { id, change: 'removed' } }));
}

/** Records what happens, in the transaction in which it happens. */
export function subscribeRecorder(kernel: Kernel): void {
  const recorder = new Recorder(pruneNowAndThen(kernel));
  kernel.slots.set(RECORDER, recorder);
  const follow: Follow = (name, stepOf, siteOf) =>
    kernel.events.on(name, (event, { tx, caller }) => {
      const step = stepOf(event);
      if (step) recorder.record(tx, caller, step, siteOf?.(event));
    });
  kernel.events.on('content.imported', ({ oids }, { tx, caller }) => {
    for (const content of oids) recorder.record(tx, caller, { action: 'created', content, data: {} });
  });
  followContent(follow);
  followPlaces(follow);
  followRights(follow);
  followOthers(follow);
}
