import { routesOf } from '../../../src/core/services/openapi/document.ts';
import { addPerson } from '../../content/people.ts';
import type { Caller } from './callers.ts';
import { expectedOf, type Row } from './row.ts';
import type { Scene } from './scene.ts';
import { makeThings, requestOf } from './things.ts';

/** A Member who is a Manager on the page of the rows, and nowhere else. */
export async function addLocalManager({ site, page }: Scene): Promise<Caller> {
  const id = 'local-manager';
  const as = await addPerson(site, { id });
  const { db } = site.kernel;
  await db.query({
    text: 'update content set local_roles = local_roles || $1::jsonb where path = $2',
    values: [JSON.stringify({ [`user:${id}`]: ['Manager'] }), page().path],
  });
  await db.query({
    text: `update account set portrait = (select portrait from account where id = 'member') where id = $1`,
    values: [id],
  });
  return { name: 'Member', id, roles: ['Member'], token: as.token, as };
}

/**
 * Sends all GET requests about the site root and the whole site as the caller. Returns those whose status differs from that for
 * a Member.
 */
export async function notAsMember(scene: Scene, rows: readonly Row[], caller: Caller): Promise<string[]> {
  const wrong: string[] = [];
  for (const row of rows) {
    if (!row.ask.startsWith('GET ') || row.ask.includes('{path}')) continue;
    const expected = expectedOf(row, 'published').find(({ name }) => name === 'Member')?.status;
    const { method, address } = requestOf(scene, row, { caller, things: await makeThings(scene, row, caller) });
    const { status } = await scene.send({ method, address, headers: row.headers, token: caller.token });
    if (status !== expected) wrong.push(`${method} ${address}: ${status}, not ${expected}`);
  }
  return wrong;
}

/**
 * Sends the requests of all services of the site below the page of the rows. Returns those that are found there, which none
 * should be.
 */
export async function foundBelow({ site, page, send }: Scene, caller: Caller): Promise<string[]> {
  const wrong: string[] = [];
  const { services } = site.server;
  const elsewhere = new Set(services.all().flatMap(({ name, context }) => (context === 'site' ? [] : name)));
  for (const { method, template, services: serving } of routesOf(services.all())) {
    if (!serving.every(({ name, context }) => context === 'site' && !elsewhere.has(name))) continue;
    const address = page().path + template.replace(/\{\w+\}/g, 'x');
    const { status } = await send({ method, address, json: method === 'GET' ? undefined : {}, token: caller.token });
    if (status !== 404) wrong.push(`${method} ${address}: ${status}`);
  }
  return wrong;
}
