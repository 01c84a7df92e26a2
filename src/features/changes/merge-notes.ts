import { journal } from '#core';
import type { JsonObject } from '#lib/json-object';

/** Objects that one statement announces. */
const BATCH = 10_000;

/** An event of one object, as `announce` takes it (migrations/0006_changes.sql). */
type NotedEvent = { event: journal.FeedEvent; data: JsonObject };
/** The events of one object in a transaction. */
type NotedContent = { content: number; events: NotedEvent[]; below: boolean };

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const isTransition = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

/** Merges the details of two events of one kind: the field names of both, and the transition from the first state to the last. */
function mergeData(known: JsonObject, next: JsonObject): JsonObject {
  if (Array.isArray(known.fields)) return { fields: [...new Set([...texts(known.fields), ...texts(next.fields)])] };
  if (isTransition(known.state) && isTransition(next.state))
    return { state: { from: known.state.from, to: next.state.to } };
  return { ...known, ...next };
}

function addEvent(events: NotedEvent[], event: journal.FeedEvent, data: JsonObject): void {
  const known = events.find((one) => one.event === event);
  if (known) known.data = mergeData(known.data, data);
  else events.push({ event, data });
}

const rank = ({ event }: NotedEvent): number => journal.FEED_EVENTS.indexOf(event);

/**
 * The notes of a transaction as texts of JSON that `announce` takes: one note for each object, with one event of each kind, in the order for readers.
 * There is one text at least, and each has a limited number of objects, so that no statement is too large.
 */
export function notesJson(notes: readonly journal.ChangeNote[]): [first: string, ...others: string[]] {
  const objects = new Map<number, NotedContent>();
  let anything = false;
  for (const note of notes) {
    if (note === 'anything') {
      anything = true;
      continue;
    }
    const { content, event, data = {}, below = false } = note;
    const noted = objects.get(content) ?? { content, events: [], below: false };
    objects.set(content, noted);
    noted.below ||= below;
    if (event !== undefined) addEvent(noted.events, event, data);
  }
  // "created" and "restored" come first, because `announce` uses only the first event of an object that is new to it.
  for (const { events } of objects.values()) events.sort((one, other) => rank(one) - rank(other));
  const noted = [...objects.values()];
  const others: string[] = [];
  for (let start = BATCH; start < noted.length; start += BATCH)
    others.push(JSON.stringify(noted.slice(start, start + BATCH)));
  // The comparison of all content locks its row before the rows of objects, so the note that asks for it comes first.
  return [JSON.stringify([...(anything ? [{ anything }] : []), ...noted.slice(0, BATCH)]), ...others];
}
