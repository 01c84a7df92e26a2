import { pathOf } from '../../scripts/lib/client.mjs';

/** Titles that editors give have the number of the edit, by which a response shows how old it is. */
const EDIT = /\(edit (\d+)\)/;
const numberOf = (title) => Number(EDIT.exec(title)?.[1] ?? 0);
export const titleOf = (number) => `A page of the day (edit ${number})`;

/** How many of the objects that were published or moved last visitors ask for. */
const NEWS = 20;

/**
 * The writes that the database has acknowledged: of each renamed page its edits with their times, and of each page that was published or
 * moved if there is something at its address. Responses are compared with them. A response is stale when it shows less than was
 * acknowledged `allowedMs` before the request was sent: 0 unless a cache outside gets notices of changes.
 */
export class Ledger {
  allowedMs = 0;
  stale = [];
  compared = 0;
  /** Responses older than the database, but not more than `allowedMs`, and the oldest of all of them in milliseconds. */
  late = 0;
  latestMs = 0;
  #edits = new Map();
  #count = 0;
  #places = new Map();
  #prefix;

  /** @param {string} prefix  the path of the site at its server, which is no part of the paths here */
  constructor(prefix) {
    this.#prefix = prefix;
  }

  /** The number of the next edit. */
  next() {
    this.#count += 1;
    return this.#count;
  }

  /** Notes an edit of a title that was acknowledged now. */
  acknowledge(path, number) {
    const edits = this.#edits.get(path) ?? [];
    edits.push({ number, at: performance.now() });
    this.#edits.set(path, edits);
  }

  /** Notes that an address is about to change: until `settle` any response may be right. */
  unsettle(path) {
    this.#places.delete(path);
  }

  /** Notes that from now on there is something at an address, or nothing any more. */
  settle(path, isThere) {
    this.#places.delete(path);
    this.#places.set(path, { path, isThere, at: performance.now() });
  }

  /** One of the addresses that changed last, with what is to be expected there; undefined before the first change. */
  news(random) {
    const last = [...this.#places.values()].slice(-NEWS);
    return last[Math.floor(random() * last.length)];
  }

  #found(request, path, changedAt, sentAt, details) {
    const ms = sentAt - changedAt;
    this.latestMs = Math.max(this.latestMs, ms);
    if (ms <= this.allowedMs) this.late += 1;
    else this.stale.push({ request: request.path, path, ms: Math.round(ms), ...details });
  }

  #checkPlace(request, status, sentAt) {
    const { expected } = request;
    // The address has changed since, or is changing.
    if (this.#places.get(expected.path) !== expected || expected.at >= sentAt) return;
    this.compared += 1;
    if ((status === 200) !== expected.isThere)
      this.#found(request, expected.path, expected.at, sentAt, { status, isThere: expected.isThere });
  }

  #checkTitle(request, path, title, sentAt) {
    const edits = this.#edits.get(path);
    const wanted = edits?.findLast(({ at }) => at < sentAt)?.number ?? 0;
    if (wanted === 0) return;
    this.compared += 1;
    const shown = numberOf(title);
    if (shown >= wanted) return;
    const missed = edits.find(({ number }) => number > shown);
    this.#found(request, path, missed.at, sentAt, { shown, wanted });
  }

  /** Compares a response with what was acknowledged before its request was sent: each object that it shows with its title. */
  check(request, { status, body }, sentAt) {
    if (request.expected !== undefined) this.#checkPlace(request, status, sentAt);
    if (status !== 200 || request.kind === 'picture' || request.kind === 'feed' || this.#edits.size === 0) return;
    const visit = (value) => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (value !== null && typeof value === 'object') {
        const { '@id': id, title } = value;
        if (typeof id === 'string' && typeof title === 'string' && URL.canParse(id))
          this.#checkTitle(request, pathOf(id).slice(this.#prefix.length), title, sentAt);
        Object.values(value).forEach(visit);
      }
    };
    visit(JSON.parse(body.toString('utf8')));
  }
}
