import { locate } from '../../../src/core/content/locate.ts';
import { has } from '../../../src/core/content/permissions.ts';
import { ANONYMOUS, callerFor } from '../../../src/core/security/caller.ts';
import { routesOf } from '../../../src/core/services/openapi/document.ts';
import { expectedOf, type Row, type State } from './row.ts';
import type { Scene } from './scene.ts';

/**
 * Compares rows about the page or the site root with the permissions that the services declare: the row must reject callers
 * without the permission. Services that decide in another way are skipped.
 */
export async function rowsAgainstDeclarations(scene: Scene, rows: readonly Row[], state: State): Promise<string[]> {
  const { site, callers, page } = scene;
  const services = new Map(
    routesOf(site.server.services.all()).map(({ method, template, services: [first] }) => [
      `${method} ${template}`,
      first,
    ]),
  );
  const wrong: string[] = [];
  for (const row of rows.filter((one) => one.with?.path === undefined)) {
    const service = services.get(row.ask);
    if (!service?.permission || service.checkPermission) continue;
    const { site: configured, resolved } = await locate(site.kernel, row.ask.includes('{path}') ? page().path : '/');
    if (!resolved) throw new Error(`There is nothing for "${row.ask}"`);
    for (const { name, status } of expectedOf(row, state)) {
      const { id = '', roles = [] } = callers.find((one) => one.name === name) ?? {};
      const caller = name === 'Anonymous' ? ANONYMOUS : callerFor({ id, login: id, fullname: '', roles, groups: [] });
      const refused = status === (name === 'Anonymous' ? 401 : 403);
      if (!refused && !has(configured, caller, resolved, service.permission))
        wrong.push(`${row.ask}: ${name} lacks "${service.permission}", and is to get ${status}`);
    }
  }
  return wrong;
}
