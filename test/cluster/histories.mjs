import { ask, isOutage, past } from './ledger.mjs';
import { addressOf, queryAt } from './postgres-cluster.mjs';

/** Steps of one history, and how many histories have a kill in them. */
const STEPS = 8;
const KILL_SHARE = 0.02;

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * Plays short random histories, one after the other: steps by random processes, some of which are killed in between. After each step a
 * random process is asked, whose response must be what the database has. Problems are added as sentences.
 */
export async function runHistories({ everything, token, histories, problems }) {
  const { cluster, processes, kill, start } = everything;
  const direct = addressOf('site', cluster.primary);
  const counts = { steps: 0, reads: 0, kills: 0 };
  const titleIn = async (path) =>
    (await queryAt(direct, `select fields->>'title' as title from content where path = $1`, [path]))[0]?.title;
  const compare = async (path, number) => {
    for (const address of [path, past(path)]) {
      const { url, name } = pick(processes);
      const [found, stored] = [await ask(url, token, 'GET', address), await titleIn(path)];
      counts.reads += 1;
      const shown = found.status === 200 ? found.body.title : undefined;
      if (isOutage(found) || (found.status !== 200 && found.status !== 404) || shown !== stored)
        problems.push(
          `History ${number}: ${name} answered ${found.status} ${shown} for ${path}, the database has ${stored}`,
        );
    }
  };
  const began = Date.now();
  for (let number = 1; number <= histories && problems.length === 0; number += 1) {
    const paths = [];
    for (let step = 0; step < STEPS; step += 1) {
      const { url } = pick(processes);
      const path = pick(paths);
      const act = path === undefined ? 'make' : pick(['make', 'change', 'change', 'remove', 'read', 'read']);
      const id = `h${number}-${step}`;
      if (act === 'make') {
        const made = await ask(url, token, 'POST', '/', { '@type': 'Page', id, title: id });
        if (made.status === 201) paths.push(new URL(made.body['@id']).pathname);
      }
      if (act === 'change') await ask(url, token, 'PATCH', path, { title: id });
      if (act === 'remove') await ask(url, token, 'DELETE', path);
      counts.steps += 1;
      await compare(path ?? paths[0] ?? '/', number);
    }
    if (Math.random() < KILL_SHARE) {
      const each = pick(processes);
      await kill(each);
      await start(each);
      counts.kills += 1;
      for (const path of paths) await compare(path, number);
    }
    const { url } = pick(processes);
    for (const path of paths) await ask(url, token, 'DELETE', path);
    if (number % 100 === 0) console.log(`${number} histories, ${Math.round((Date.now() - began) / 1000)} s`);
  }
  console.log(
    `${histories} histories: ${counts.steps} steps, ${counts.reads} reads compared with the database, ${counts.kills} processes killed`,
  );
}
