import { randomUUID } from 'node:crypto';
import { locate } from '../../../src/core/content/locate.ts';
import { insertLink } from '../../../src/features/releases/statements/links.ts';
import { writePart } from '../../../src/features/releases/statements/parts.ts';
import { insertRelease } from '../../../src/features/releases/statements/releases.ts';
import { scheduleRelease } from '../../../src/features/releases/statements/schedule.ts';
import type { MakeThing, Scene } from './scene.ts';

const DAY_MS = 24 * 60 * 60_000;
const tomorrow = (): Date => new Date(Date.now() + DAY_MS);

/** Releases of the matrix that stay. A row makes fewer, and a site has a bound. */
const KEPT = 20;

/** A release of "Manager" with a transition of a page that no other request uses: "Reviewer" may do it where that user views the page. */
async function newRelease(scene: Scene): Promise<string> {
  const { kernel } = scene.site;
  const { db } = kernel;
  const path = await scene.nextPage('owner');
  const { resolved } = await locate(kernel, path);
  if (!resolved) throw new Error(`There is nothing at ${path}`);
  const { uid, modified, reviewState } = resolved.object;
  const transition = reviewState === 'published' ? 'reject' : 'publish';
  await db.query({
    text: `delete from release where id in (
      select id from release where creator = 'manager' order by created desc offset $1)`,
    values: [KEPT],
  });
  const id = randomUUID();
  const [creator, now] = ['manager', new Date()];
  await insertRelease(db, { id, title: `Release ${scene.number()}`, description: '', creator, now });
  await writePart(db, {
    ...{ release: id, number: 0, isSetup: false, author: creator, added: now },
    request: JSON.stringify({ method: 'POST', path: `${path}/@workflow/${transition}`, body: {} }),
    targets: [{ uid, path, kind: 'change', modified }],
  });
  await db.query({ text: 'update release set next_part = 1 where id = $1', values: [id] });
  return id;
}

async function scheduledRelease(scene: Scene): Promise<string> {
  const id = await newRelease(scene);
  const { kernel, url } = scene.site;
  await scheduleRelease(kernel.db, id, { at: tomorrow(), by: 'manager', prefer: null, base: url });
  return id;
}

async function publishedRelease(scene: Scene): Promise<string> {
  const id = await newRelease(scene);
  const done = await scene.site.request('POST', `/@releases/${id}/publish`, { json: {} });
  if (done.status !== 200) throw new Error(done.text);
  return id;
}

/** A release with a preview link of "Manager", whose id begins with `link-`. */
async function linkedRelease(scene: Scene): Promise<string> {
  const release = await newRelease(scene);
  const link = { id: `link-${release}`, title: '', creator: 'manager', hash: randomUUID() };
  await insertLink(scene.site.kernel.db, release, { ...link, created: new Date(), expires: tomorrow() }, 20);
  return release;
}

/** Releases, as they stand. */
export const RELEASE_THINGS: Record<string, MakeThing> = {
  release: newRelease,
  'scheduled release': scheduledRelease,
  'published release': publishedRelease,
  'linked release': linkedRelease,
};
