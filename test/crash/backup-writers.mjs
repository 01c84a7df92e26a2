import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathOf } from '../../scripts/lib/client.mjs';

/** Milliseconds between two writes of a client: as many as people send, and the site stays small. */
const PAUSE_MS = 150;
const MAX_PAGES = 12;

/**
 * A client that writes into a folder of its own. `sent` and `done` count its steps; after each acknowledged one `state` is what the
 * site must have. The pages `a` and `b` get the number of the step one after the other, the pair moves with one request between `left`
 * and `right`, and pages and files come and go.
 */
export class Writer {
  constructor(client, name) {
    this.client = client;
    this.name = name;
    this.folder = `/${name}`;
    this.sent = { a: 0, b: 0, moves: 0 };
    this.done = { a: 0, b: 0, moves: 0 };
    /** Names of pages and files, with the title or the hash of each that is there; removed ones are in `gone`. */
    this.pages = new Map();
    this.gone = new Set();
    this.next = 0;
    this.writes = 0;
  }

  async #send(method, path, json) {
    const answer = await this.client.send(method, path, json);
    this.writes += 1;
    return answer;
  }

  async begin() {
    const add = (path, json) => this.#send('POST', path, json);
    await add('/', { '@type': 'Folder', id: this.name, title: this.name });
    for (const id of ['left', 'right', 'things']) await add(this.folder, { '@type': 'Folder', id, title: id });
    for (const id of ['a', 'b']) await add(this.folder, { '@type': 'Page', id, title: '0' });
    for (const id of ['one', 'two']) await add(`${this.folder}/left`, { '@type': 'Page', id, title: id });
  }

  /** One round of writes, each after the answer to the one before. */
  async step() {
    for (const id of ['a', 'b']) {
      this.sent[id] += 1;
      await this.#send('PATCH', `${this.folder}/${id}`, { title: String(this.sent[id]) });
      this.done[id] = this.sent[id];
      await sleep(PAUSE_MS);
    }
    const [from, to] = this.done.moves % 2 === 0 ? ['left', 'right'] : ['right', 'left'];
    this.sent.moves += 1;
    const source = ['one', 'two'].map((id) => `${this.folder}/${from}/${id}`);
    await this.#send('POST', `${this.folder}/${to}/@move`, { source });
    this.done.moves = this.sent.moves;
    await sleep(PAUSE_MS);
    await this.#thing();
    await sleep(PAUSE_MS);
  }

  async #thing() {
    if (this.pages.size >= MAX_PAGES) {
      const [name] = this.pages.keys();
      this.pages.delete(name);
      await this.#send('DELETE', `${this.folder}/things/${name}`);
      this.gone.add(name);
      return;
    }
    this.next += 1;
    const id = `thing-${this.next}`;
    if (this.next % 3 !== 0) {
      await this.#send('POST', `${this.folder}/things`, { '@type': 'Page', id, title: `Thing ${id}` });
      this.pages.set(id, { title: `Thing ${id}` });
      return;
    }
    const bytes = randomBytes(20_000);
    const file = {
      data: bytes.toString('base64'),
      encoding: 'base64',
      filename: `${id}.bin`,
      'content-type': 'application/octet-stream',
    };
    await this.#send('POST', `${this.folder}/things`, { '@type': 'File', id, title: `Thing ${id}`, file });
    this.pages.set(id, { title: `Thing ${id}`, hash: createHash('sha256').update(bytes).digest('hex') });
  }

  /** Returns the writes that were acknowledged until now. */
  acknowledged() {
    return { done: { ...this.done }, pages: new Map(this.pages), gone: new Set(this.gone), next: this.next };
  }

  /** The last step of each kind that was sent until now. */
  lastSent() {
    return { ...this.sent };
  }
}

/** The children of a folder by name. Throws for a batch: there are few. */
async function childrenOf(client, path) {
  const { body } = await client.send('GET', `${path}?b_size=500&metadata_fields=UID`);
  if (body.items.length !== body.items_total)
    throw new Error(`${path} lists ${body.items.length} of ${body.items_total}`);
  return new Map(body.items.map((item) => [pathOf(item['@id']).split('/').at(-1), item]));
}

async function hashOf(client, path) {
  const response = await fetch(`${client.url}${path}/@@download/file`, {
    headers: { Authorization: `Bearer ${client.token}` },
  });
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

/**
 * Compares a restored site with a writer: everything acknowledged before the backup began is there, nothing that was sent after its
 * end, and no request by half. Returns the problems as sentences.
 */
export async function checkRestored(client, { name, before, after }) {
  const problems = [];
  const folder = `/${name}`;
  const read = async (id) => Number((await client.send('GET', `${folder}/${id}`)).body.title);
  const [a, b] = [await read('a'), await read('b')];
  for (const [id, value] of Object.entries({ a, b }))
    if (value < before.done[id] || value > after[id])
      problems.push(`${folder}/${id} is ${value}, acknowledged was ${before.done[id]}, sent ${after[id]}`);
  if (!(b === a || b === a - 1)) problems.push(`${folder}: a is ${a} and b is ${b}, which was never so`);
  const sides = {
    left: await childrenOf(client, `${folder}/left`),
    right: await childrenOf(client, `${folder}/right`),
  };
  const at = (id) =>
    Object.keys(sides)
      .filter((side) => sides[side].has(id))
      .join('+');
  if (at('one') !== at('two') || !(at('one') in sides))
    problems.push(`${folder}: half of a move: one in ${at('one')}, two in ${at('two')}`);
  if (before.done.moves === after.moves && at('one') !== (after.moves % 2 === 0 ? 'left' : 'right'))
    problems.push(`${folder}: the pair is in ${at('one')} after ${after.moves} moves`);
  const things = await childrenOf(client, `${folder}/things`);
  for (const gone of before.gone)
    if (things.has(gone)) problems.push(`${folder}/things/${gone} was deleted and is there`);
  for (const [id, thing] of before.pages) {
    const found = things.get(id);
    // It may have been deleted while the backup ran.
    if (!found) {
      if (!after.gone.has(id)) problems.push(`${folder}/things/${id} is lost`);
    } else if (found.title !== thing.title) problems.push(`${folder}/things/${id} has the title ${found.title}`);
    else if (thing.hash && (await hashOf(client, `${folder}/things/${id}`)) !== thing.hash)
      problems.push(`${folder}/things/${id} has other bytes`);
  }
  const { body } = await client.send('GET', `/@search?path=${folder}/things&path.depth=1&b_size=500`);
  if (body.items_total !== things.size)
    problems.push(`${folder}: the catalog has ${body.items_total} things, the folder ${things.size}`);
  return problems;
}
