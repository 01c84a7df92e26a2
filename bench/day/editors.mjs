import { pathOf } from '../../scripts/lib/client.mjs';
import { page } from '../documents.mjs';
import { repeat } from '../repeat.mjs';

/** Titles that editors give have the number of the edit, by which a response shows how old it is. */
const EDIT = /\(edit (\d+)\)/;
const numberOf = (title) => Number(EDIT.exec(title)?.[1] ?? 0);

/**
 * The acknowledged edits: of each object the last one of its title, and when. A response is stale if it shows an older edit than
 * one that was acknowledged before the request was sent.
 */
export class Ledger {
  #edits = new Map();
  #count = 0;
  stale = [];
  compared = 0;

  /** The number of the next edit. */
  next() {
    this.#count += 1;
    return this.#count;
  }

  acknowledge(path, number, at) {
    const edits = this.#edits.get(path) ?? [];
    edits.push({ number, at });
    this.#edits.set(path, edits);
  }

  /** The last edit of an object that was acknowledged before a moment. */
  #lastBefore(path, moment) {
    return this.#edits.get(path)?.findLast(({ at }) => at < moment)?.number ?? 0;
  }

  /** Compares every object that a body shows with what was acknowledged before the request was sent. */
  check(request, body, sentAt, prefix) {
    if (!body.includes('(edit ')) return;
    const visit = (value) => {
      if (Array.isArray(value)) value.forEach(visit);
      else if (value !== null && typeof value === 'object') {
        const { '@id': id, title } = value;
        if (typeof id === 'string' && typeof title === 'string' && URL.canParse(id)) {
          const path = pathOf(id).slice(prefix.length);
          const wanted = this.#lastBefore(path, sentAt);
          if (wanted > 0) this.compared += 1;
          if (numberOf(title) < wanted) this.stale.push({ request, path, shown: numberOf(title), wanted });
        }
        Object.values(value).forEach(visit);
      }
    };
    visit(JSON.parse(body));
  }
}

/**
 * Starts the editors of the day: one renames pages that are asked for often, one writes and publishes new pages, one moves a page between
 * two folders, and an importer adds pages. Returns what stops them all and gives their times by name.
 */
export function startEditors(client, { pages, random, ledger, perSecond }) {
  const renamed = () => pages[Math.floor(random() ** 3 * pages.length)];
  const make = async (container, isPublic) => {
    const { body } = await client.send('POST', container, page(random));
    const path = pathOf(body['@id']).slice(client.prefix.length);
    if (isPublic) await client.send('POST', `${path}/@workflow/publish`, {});
    return path;
  };
  const folders = ['/day-a', '/day-b'];
  let moved;
  const work = {
    rename: async () => {
      const path = renamed();
      const number = ledger.next();
      await client.send('PATCH', path, { title: `A page of the day (edit ${number})` });
      ledger.acknowledge(path, number, performance.now());
    },
    publish: () => make(folders[0], true),
    move: async (n) => {
      moved ??= (await make(folders[0], true)).split('/').at(-1);
      const [source, target] = [folders[n % 2], folders[(n + 1) % 2]];
      await client.send('POST', `${target}/@move`, { source: `${source}/${moved}` });
    },
    import: () => make('/day-imported', false),
  };
  const running = Object.entries(work).map(([name, one]) => [
    name,
    repeat(one, (elapsedMs) => 1000 / perSecond[name] - elapsedMs),
  ]);
  return {
    async stop() {
      const times = {};
      for (const [name, one] of running) times[name] = await one.stop();
      return times;
    },
  };
}

/** Makes the folders in which the editors work. */
export async function makeFolders(client) {
  for (const id of ['day-a', 'day-b', 'day-imported']) {
    await client.send('POST', '/', { '@type': 'Folder', id, title: `Folder ${id}` });
    await client.send('POST', `/${id}/@workflow/publish`, {});
  }
}
