import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyContent } from '../../src/core/content/copy-content.ts';
import { moveContent } from '../../src/core/content/move-content.ts';
import { make, manager } from '../content/make.ts';
import { engines } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { treeProblems } from './tree-problems.ts';

/** The number of objects in the subtree, and the most milliseconds for each operation. */
const SIZE = 10_000;
const LIMIT = 2000;

// The times mean something only on PostgreSQL and on an idle machine, so that TEST_SLOW=1 must be set.
describe.runIf(process.env.TEST_SLOW !== undefined && engines().includes('postgresql'))('a subtree of 10,000', () => {
  let test: Awaited<ReturnType<typeof createTestKernel>>;
  const caller = manager();

  beforeAll(async () => {
    test = await createTestKernel('postgresql');
    const { kernel } = test;
    await make(kernel, '/', { '@type': 'Folder', id: 'big' }, { state: 'published' });
    const text = 'Some words of a page. '.repeat(20);
    const blocks = { a: { '@type': 'slate', plaintext: text, value: [{ type: 'p', children: [{ text }] }] } };
    for (let i = 0; i < 10; i += 1)
      await make(kernel, '/big', { id: `p${i}`, blocks, blocks_layout: { items: ['a'] } }, { state: 'published' });
    // Copies of the first folders, until there are enough objects.
    await make(kernel, '/', { '@type': 'Folder', id: 'all' });
    for (let i = 0; i < 9; i += 1) {
      const sources = [{ path: '/big' }];
      for (let j = 0; j < 101; j += 1) await copyContent(kernel, { caller, target: '/all', sources });
    }
    // The owner of the target may view everything in it, so that the viewers of each moved object change.
    await make(kernel, '/', { '@type': 'Folder', id: 'target' }, { state: 'published', owner: 'somebody' });
    await kernel.db.query({ text: 'analyze' });
  }, 300_000);
  afterAll(() => test?.close());

  const size = async (path: string): Promise<number> => {
    const [row] = await test.kernel.db.query<{ n: number }>({
      text: "select count(*) as n from content where path = $1 or starts_with(path, $1 || '/')",
      values: [path],
    });
    return row?.n ?? 0;
  };
  async function milliseconds(work: () => Promise<unknown>): Promise<number> {
    const started = performance.now();
    await work();
    return performance.now() - started;
  }

  it('a subtree of 10,000 objects is moved, moved back and copied in under two seconds each', {
    timeout: 120_000,
  }, async () => {
    const { kernel } = test;
    const move = (target: string, path: string) => () =>
      moveContent(kernel, { caller, target, sources: [{ path }], lockToken: undefined });
    const all = await size('/all');
    expect(all).toBeGreaterThanOrEqual(SIZE);
    const figures = {
      move: await milliseconds(move('/target', '/all')),
      back: await milliseconds(move('/', '/target/all')),
      copy: await milliseconds(() => copyContent(kernel, { caller, target: '/target', sources: [{ path: '/all' }] })),
    };
    console.info(figures);
    expect([await size('/all'), await size('/target/all')]).toEqual([all, all]);
    expect(Object.values(figures).every((figure) => figure < LIMIT)).toBe(true);
    expect((await treeProblems(kernel)).slice(0, 3)).toEqual([]);
  });
});
