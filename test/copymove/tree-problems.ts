import { locate } from '../../src/core/content/locate.ts';
import { securityChain } from '../../src/core/content/permissions.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { viewersOf } from '../../src/core/security/can.ts';

type Row = { path: string; allowed: string[] | null };

/** The problems of the stored tree as sentences: paths, catalog rows, viewers, old addresses. */
export async function treeProblems(kernel: Kernel): Promise<string[]> {
  const wrongPaths = await kernel.db.query<{ path: string }>({
    text: `select c.path from content c join content p on p.oid = c.parent
      where c.path <> case when p.path = '/' then '' else p.path end || '/' || c.name`,
  });
  const shadowing = await kernel.db.query<{ path: string }>({
    text: 'select path from redirect join content using (path)',
  });
  const rows = await kernel.db.query<Row>({
    text: 'select c.path, k.allowed from content c left join catalog k using (oid) order by c.path',
  });
  const problems = [
    ...wrongPaths.map(({ path }) => `${path} is not where its container is`),
    ...shadowing.map(({ path }) => `${path} is content and an old address`),
  ];
  for (const { path, allowed } of rows) {
    const { site, resolved } = await locate(kernel, path);
    if (!resolved) problems.push(`${path} cannot be found`);
    else if (JSON.stringify(allowed) !== JSON.stringify(viewersOf(securityChain(site, resolved), site.roleMap)))
      problems.push(`${path} is listed for others than those who may view it`);
  }
  return problems;
}
