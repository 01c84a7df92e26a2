import type { ExportRun } from '../export-run.ts';
import { OWN_COMMENT_ID } from '../format.ts';
import { type CommentPlace, type CommentRow, commentPlaces, commentRows } from '../statements/comments.ts';

/** The forms of an id that is a number in Plone already: microseconds, which fit into 64 bits. */
const NUMBER = /^[1-9]\d{0,17}$/;

/** The comments of a conversation that everybody sees: published comments whose parents are all published. */
function shownOf(places: readonly CommentPlace[]): CommentPlace[] {
  const byId = new Map(places.map((place) => [place.id, place]));
  const known = new Map<string, boolean>();
  for (const place of places) {
    const line = new Set<string>();
    let at: CommentPlace | undefined = place;
    while (at?.published && !known.has(at.id) && !line.has(at.id)) {
      line.add(at.id);
      at = byId.get(at.in_reply_to ?? '');
    }
    const shown = at === undefined || (known.get(at.id) ?? at.published);
    for (const id of line) known.set(id, shown);
    if (!place.published) known.set(place.id, false);
  }
  return places.filter(({ id }) => known.get(id));
}

/**
 * The numbers of the comments on an object that everybody sees, by their ids: Plone's ids are numbers, by which it sorts. A comment whose id is such
 * a number keeps it; other comments get the microsecond of their creation, or the next free number.
 */
export function commentNumbers(places: readonly CommentPlace[]): ReadonlyMap<string, string> {
  const shown = shownOf(places);
  const numbers = new Map(shown.flatMap(({ id }): [string, string][] => (NUMBER.test(id) ? [[id, id]] : [])));
  const taken = new Set(numbers.values());
  for (const { id, microsecond } of shown) {
    if (numbers.has(id)) continue;
    let number = BigInt(microsecond);
    if (number < 1n) number = 1n;
    while (taken.has(String(number))) number += 1n;
    taken.add(String(number));
    numbers.set(id, String(number));
  }
  return numbers;
}

const commentJson = ({ path, ...row }: CommentRow, number: string, answers: string | undefined) => ({
  '@id': `${path === '/' ? '' : path}/@comments/${number}`,
  '@type': 'Discussion Item',
  comment_id: number,
  in_reply_to: answers ?? null,
  [OWN_COMMENT_ID]: row.id,
  text: { data: row.body, 'mime-type': row.mime_type },
  user_notification: false,
  author_username: row.author,
  author_name: row.author_name,
  creation_date: row.created.toISOString(),
  modification_date: row.modified.toISOString(),
});

/**
 * Conversations by the UIDs of their objects, comment by comment. Pending comments and replies to them are left out, because Plone publishes each
 * imported comment. `onLeft` is called for each of them.
 */
export async function* conversations({ tx, path }: ExportRun, onLeft: () => void): AsyncGenerator<string> {
  let content: number | undefined;
  let open: string | undefined;
  let numbers: ReadonlyMap<string, string> = new Map();
  for await (const row of commentRows(tx, path)) {
    if (row.content !== content) {
      content = row.content;
      numbers = commentNumbers(await commentPlaces(tx, content));
    }
    const number = numbers.get(row.id);
    if (number === undefined) {
      onLeft();
      continue;
    }
    if (row.uid !== open) {
      yield `${open === undefined ? '{' : ']},'}\n${JSON.stringify(row.uid)}: {"items": [\n`;
      open = row.uid;
    } else yield ',\n';
    yield JSON.stringify(commentJson(row, number, numbers.get(row.in_reply_to ?? '')));
  }
  yield open === undefined ? '{}\n' : ']}\n}\n';
}
