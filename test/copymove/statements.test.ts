import { beforeAll, expect, it } from 'vitest';
import { copyContent } from '../../src/core/content/copy-content.ts';
import { locate } from '../../src/core/content/locate.ts';
import { moveContent } from '../../src/core/content/move-content.ts';
import { updateContent } from '../../src/core/content/update-content.ts';
import { make, manager } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { useCountedKernel } from '../support/use-counted-kernel.ts';

describeEachEngine('the statements of copying, moving and renaming', (engine) => {
  const counted = useCountedKernel(engine);
  const caller = manager();

  beforeAll(async () => {
    const { kernel } = counted;
    // The owner of the target may view what is moved in, so that the index of viewers changes.
    await make(kernel, '/', { '@type': 'Folder', id: 'target' }, { owner: 'somebody' });
    await make(kernel, '/', { '@type': 'Folder', id: 'small' });
    const large = await make(kernel, '/', { '@type': 'Folder', id: 'large' });
    for (let i = 0; i < 5; i += 1) {
      const folder = await make(kernel, large, { '@type': 'Folder', id: `folder-${i}` });
      for (let j = 0; j < 4; j += 1) await make(kernel, folder, { id: `page-${j}` });
    }
  });

  it('copying, moving and renaming run the same statements for an empty folder and for one with 25 objects', async () => {
    const { kernel, during } = counted;
    const statementsFor = async (id: string): Promise<Record<string, string[]>> => {
      const sources = [{ path: `/${id}` }];
      const before = await locate(kernel, `/target/${id}`);
      expect(before.resolved).toBeUndefined();
      const copy = await during(() => copyContent(kernel, { caller, target: '/target', sources }));
      const move = await during(() =>
        moveContent(kernel, { caller, target: '/target', sources, lockToken: undefined }),
      );
      const path = `/target/copy_of_${id}`;
      const found = await locate(kernel, path);
      const rename = await during(() =>
        updateContent(
          kernel,
          { caller, path, input: { id: `${id}-2` }, bases: [], lockToken: undefined },
          { before: found },
        ),
      );
      return { copy, move, rename };
    };
    const small = await statementsFor('small');
    expect(await statementsFor('large')).toEqual(small);
    expect(small.copy).toContain('copy-subtree');
    expect(small.move).toContain('write-allowed');
    expect(small.rename).toContain('rename-object');
  });
});

describeEachEngine('the columns of a copy', (engine) => {
  /** The columns whose values a copy does not take over. All other columns, also new ones, must be copied. */
  const ANEW = [
    'created',
    'effective',
    'inherit_roles',
    'local_permissions',
    'local_roles',
    'lock',
    'modified',
    'name',
    'oid',
    'owner',
    'parent',
    'path',
    'position',
    'review_state',
    'translation_group',
    'uid',
  ];

  it('a copy has the column values of its original, except those that start fresh', async () => {
    const { kernel, close } = await createTestKernel(engine);
    await make(kernel, '/', { '@type': 'Folder', id: 'other' });
    await make(kernel, '/', { '@type': 'Folder', id: 'all', description: 'Text' }, { state: 'published', owner: 'x' });
    // Each column of the original has a value that no new object has.
    await kernel.db.query({
      text: `update content set position = 77, language = 'de', layout = 'l', expires = '2090-01-01', default_page = 'd',
        constrains = '{"locally_allowed": [], "immediately_addable": []}', translation_group = 'g', inherit_roles = false,
        local_permissions = '{}', lock = '{"token": "t", "created": "2020-01-01T00:00:00.000Z", "timeout": 1}',
        created = '2001-01-01', modified = '2001-01-01'
        where path = '/all'`,
    });
    await copyContent(kernel, { caller: manager(), target: '/other', sources: [{ path: '/all' }] });
    const rows = await kernel.db.query<Record<string, unknown>>({
      text: "select * from content where path in ('/all', '/other/all') order by length(path)",
    });
    const [original = {}, copy = {}] = rows;
    expect(rows).toHaveLength(2);
    const differing = Object.keys(original).filter(
      (name) => JSON.stringify(original[name]) !== JSON.stringify(copy[name]),
    );
    expect(differing.sort()).toEqual(ANEW.filter((name) => name !== 'name'));
    await close();
  });
});
