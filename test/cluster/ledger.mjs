import { setTimeout as sleep } from 'node:timers/promises';

/** Statuses that say that a write may have been made or not, or cannot be made at present. */
const OUTAGES = [502, 503];

/**
 * Pages, each written by one client, with growing numbers as titles. The ledger records the numbers that were acknowledged and those
 * that were read: a read may not return a lower number than the highest that was acknowledged or read before its request.
 */
export class Ledger {
  #pages = new Map();
  problems = [];
  counts = { writes: 0, reads: 0, outages: 0, removed: 0 };

  get pages() {
    return [...this.#pages.values()];
  }

  add(path) {
    const page = { path, acknowledged: 0, tried: 0, seen: 0, isRemoved: false };
    this.#pages.set(path, page);
    return page;
  }

  /** Returns the lowest number that a read of the page may return from now on, and if the page is removed. */
  floorOf(page) {
    return { number: Math.max(page.acknowledged, page.seen), isRemoved: page.isRemoved };
  }

  /** Compares what was read with what had to be seen when the request was sent. */
  check(page, floor, { status, body, server }, what) {
    this.counts.reads += 1;
    if (status === 404) {
      if (!page.isRemoving) this.problems.push(`${what}: ${page.path} is gone (${server})`);
      return;
    }
    if (status !== 200) {
      this.problems.push(`${what}: ${page.path} was answered with ${status}: ${JSON.stringify(body)} (${server})`);
      return;
    }
    const number = Number(body.title);
    if (floor.isRemoved) this.problems.push(`${what}: ${page.path} was removed and is there (${server})`);
    if (!(number >= floor.number))
      this.problems.push(`${what}: ${page.path} has ${number} after ${floor.number} had been seen (${server})`);
    if (number > page.tried) this.problems.push(`${what}: ${page.path} has ${number}, which nobody wrote (${server})`);
    page.seen = Math.max(page.seen, number);
  }
}

/** An address whose response is not in memory. */
export const past = (path) => `${path}?b_size=${1 + Math.floor(Math.random() * 1000)}`;

/** A client that keeps to nothing: status and body of each response, with the process that gave it. Status 0 for a lost connection. */
export async function ask(url, token, method, path, json) {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${token}`,
        ...(json && { 'Content-Type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const body = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
    return { status: response.status, body, server: response.headers.get('x-server') };
  } catch (error) {
    return { status: 0, body: String(error), server: 'nobody' };
  }
}

export const isOutage = ({ status }) => status === 0 || OUTAGES.includes(status);

/** Writes growing numbers to pages of its own until it is over, and reads each at once: read your writes. */
export async function write(client, ledger, { name, isOver }) {
  let mine = [];
  for (let count = 1; !isOver(); count += 1) {
    if (mine.length < 3) {
      const made = await client('POST', '/', { '@type': 'Page', id: `${name}-${count}`, title: '0' });
      if (made.status === 201) mine.push(ledger.add(new URL(made.body['@id']).pathname));
      else if (isOutage(made)) await pause(ledger);
      else ledger.problems.push(`POST was answered with ${made.status}: ${JSON.stringify(made.body)}`);
      continue;
    }
    const page = mine[Math.floor(Math.random() * mine.length)];
    if (Math.random() < 0.05) {
      page.isRemoving = true;
      const removed = await client('DELETE', page.path);
      mine = mine.filter((each) => each !== page);
      if (removed.status === 204) {
        page.isRemoved = true;
        ledger.counts.removed += 1;
        const { status } = await client('GET', page.path);
        if (status === 200) ledger.problems.push(`${page.path} was removed and is there at once`);
      }
      continue;
    }
    page.tried += 1;
    const number = page.tried;
    const written = await client('PATCH', page.path, { title: String(number) });
    if (written.status === 204) {
      page.acknowledged = number;
      ledger.counts.writes += 1;
    } else if (isOutage(written)) await pause(ledger);
    else ledger.problems.push(`PATCH was answered with ${written.status}: ${JSON.stringify(written.body)}`);
    const floor = ledger.floorOf(page);
    const read = await client('GET', Math.random() < 0.5 ? page.path : past(page.path));
    if (!isOutage(read)) ledger.check(page, floor, read, 'After its write');
  }
}

async function pause(ledger) {
  ledger.counts.outages += 1;
  await sleep(100);
}

/** Reads any pages until it is over: alone, and in the list of their container. */
export async function read(client, ledger, { isOver }) {
  while (!isOver()) {
    const { pages } = ledger;
    const page = pages[Math.floor(Math.random() * pages.length)];
    if (page === undefined) {
      await sleep(50);
      continue;
    }
    const floor = ledger.floorOf(page);
    // Half of them from memory, half past it.
    const found = await client('GET', Math.random() < 0.5 ? page.path : past(page.path));
    if (isOutage(found)) {
      ledger.counts.outages += 1;
      await sleep(50);
    } else ledger.check(page, floor, found, 'A reader');
    if (Math.random() < 0.2) await readList(client, ledger);
    await sleep(5);
  }
}

async function readList(client, ledger) {
  const floors = new Map(ledger.pages.map((page) => [page.path, { page, floor: ledger.floorOf(page) }]));
  const list = await client('GET', `/@search?sort_on=created&b_size=200&portal_type=Page&z=${Math.random()}`);
  if (isOutage(list) || list.status !== 200) return;
  for (const { '@id': id, title } of list.body.items) {
    const known = floors.get(new URL(id).pathname);
    if (known) ledger.check(known.page, known.floor, { status: 200, body: { title }, server: list.server }, 'A list');
  }
}
