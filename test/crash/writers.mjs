import { setTimeout as sleep } from 'node:timers/promises';
import { pathOf, UnexpectedAnswer } from '../../scripts/lib/client.mjs';

/** Pages in one folder before a writer starts the next: listing them all stays cheap. */
const PAGES_IN_FOLDER = 60;

/**
 * The acknowledged writes of all rounds. `pages` maps a path to `{ uid, container, title }`; `unsure` maps a path to titles that may or
 * may not have been written when the server was killed.
 */
export function newLedger() {
  return { pages: new Map(), folders: new Set(), unsure: new Map(), writes: 0 };
}

async function writeOne(client, ledger, state) {
  if (state.folder === undefined || state.inFolder >= PAGES_IN_FOLDER) {
    const { body } = await client.send('POST', '/', {
      '@type': 'Folder',
      title: `Writer ${state.name} ${state.next()}`,
    });
    state.folder = pathOf(body['@id']);
    state.inFolder = 0;
    state.mine = [];
    ledger.folders.add(state.folder);
    ledger.writes += 1;
  }
  const title = `Page ${state.name} ${state.next()}`;
  if (state.mine.length > 0 && Math.random() < 0.4) {
    const path = state.mine[Math.floor(Math.random() * state.mine.length)];
    // Noted before the request is sent: without a response, the old and the new title are both correct.
    ledger.unsure.set(path, [...(ledger.unsure.get(path) ?? []), title]);
    await client.send('PATCH', path, { title });
    ledger.pages.get(path).title = title;
    ledger.unsure.delete(path);
  } else {
    const { body } = await client.send('POST', state.folder, { '@type': 'Page', title });
    const path = pathOf(body['@id']);
    if (ledger.pages.has(path)) throw new Error(`Two pages were acknowledged at ${path}`);
    ledger.pages.set(path, { uid: body.UID, container: state.folder, title });
    state.mine.push(path);
    state.inFolder += 1;
  }
  ledger.writes += 1;
}

/**
 * Writes from `clients` connections until the server is gone. Every response before that must be a
 * success. Any error status fails the round, except 503 where the database has `outages`.
 */
export async function writeUntilKilled(client, ledger, { clients, round, killed, outages = false }) {
  let count = 0;
  async function write(number) {
    const state = { name: `${round}.${number}`, next: () => ++count };
    while (!killed()) {
      try {
        await writeOne(client, ledger, state);
      } catch (error) {
        if (outages && error instanceof UnexpectedAnswer && error.status === 503) continue;
        if (error instanceof UnexpectedAnswer) throw error;
        // fetch reports a broken connection as a TypeError, which is expected only after the kill.
        if (!(error instanceof TypeError)) throw error;
        for (let waited = 0; !killed(); waited += 10) {
          if (waited > 2000) throw error;
          await sleep(10);
        }
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => write(number)));
}
