import { pathOf } from '../../scripts/lib/client.mjs';
import { page } from '../documents.mjs';
import { repeat } from '../repeat.mjs';
import { WORK_FOLDERS } from './content.mjs';
import { titleOf } from './ledger.mjs';

const [FOLDER_A, FOLDER_B, IMPORTED] = WORK_FOLDERS.map((id) => `/${id}`);
/** How often in a second each editor works. */
const PER_SECOND = { rename: 2, publish: 0.5, move: 0.5, import: 2 };

/**
 * Starts the editors of the day: one renames pages that are asked for often, one writes and publishes new pages, one moves a page between
 * two folders, and an importer adds pages. What they do is noted in the ledger. `during({ from, to })` returns the edits that were under
 * way between two moments: `{ name, from, to }`, in milliseconds of the process. `stop` stops them all and returns their times in milliseconds by
 * name, and how often each failed.
 */
export function startEditors(client, { pages, random, ledger }) {
  const renamed = () => pages[Math.floor(random() ** 3 * pages.length)];
  const make = async (container, isPublic) => {
    const { body } = await client.send('POST', container, page(random));
    const path = pathOf(body['@id']).slice(client.prefix.length);
    if (isPublic) {
      await client.send('POST', `${path}/@workflow/publish`, {});
      ledger.settle(path, true);
    }
    return path;
  };
  let moved;
  const move = async () => {
    moved ??= await make(FOLDER_A, true);
    const source = moved;
    const target = source.startsWith(`${FOLDER_A}/`) ? FOLDER_B : FOLDER_A;
    const goal = `${target}/${source.split('/').at(-1)}`;
    ledger.unsettle(source);
    ledger.unsettle(goal);
    // Where it is after a failure is not sure: another page is moved then.
    moved = undefined;
    await client.send('POST', `${target}/@move`, { source });
    moved = goal;
    ledger.settle(source, false);
    ledger.settle(goal, true);
  };
  const work = {
    rename: async () => {
      const path = renamed();
      const number = ledger.next();
      await client.send('PATCH', path, { title: titleOf(number) });
      ledger.acknowledge(path, number);
    },
    publish: () => make(FOLDER_A, true),
    move,
    import: () => make(IMPORTED, false),
  };
  const failures = {};
  const edits = [];
  const running = Object.entries(work).map(([name, one]) => {
    const careful = async () => {
      const edit = { name, from: performance.now(), to: Number.POSITIVE_INFINITY };
      edits.push(edit);
      try {
        await one();
      } catch (error) {
        failures[name] ??= { count: 0, first: error.message };
        failures[name].count += 1;
      }
      edit.to = performance.now();
    };
    return [name, repeat(careful, (elapsedMs) => 1000 / PER_SECOND[name] - elapsedMs)];
  });
  return {
    during: ({ from, to }) => edits.filter((edit) => edit.from < to && edit.to > from),
    async stop() {
      const times = {};
      for (const [name, one] of running) times[name] = await one.stop();
      return { times, failures };
    },
  };
}
