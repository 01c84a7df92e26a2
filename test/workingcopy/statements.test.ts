import { expect, it } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { checkIn } from '../../src/features/working-copies/check-in.ts';
import { checkOut } from '../../src/features/working-copies/check-out.ts';
import { make, manager } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE, workingCopyIds } from '../support/profiles.ts';
import { useCountedKernel } from '../support/use-counted-kernel.ts';

describeEachEngine('the statements of working copies', (engine) => {
  const counted = useCountedKernel(engine);
  const caller = manager();

  it('the links between working copy and baseline are loaded with the content, without further statements', async () => {
    const { kernel, during } = counted;
    const path = await make(kernel, '/', { '@type': PAGE, id: 'read' });
    await checkOut(kernel, { caller, path, lockToken: undefined });
    for (const [at, side] of [
      [path, 'workingCopy'],
      [`/${workingCopyIds('read')[0]}`, 'workingCopyOf'],
    ] as const) {
      const statements = await during(async () => {
        const { resolved } = await locate(kernel, at);
        expect(resolved?.object[side]?.lock.name).toBe('iterate.lock');
      });
      expect(statements).toHaveLength(1);
    }
  });

  it('check-out and check-in run the same number of statements for large and small content', async () => {
    const { kernel, during } = counted;
    const small = await make(kernel, '/', { '@type': 'Folder', id: 'small' });
    const large = await make(kernel, '/', { '@type': 'Folder', id: 'large' });
    for (let i = 0; i < 8; i += 1) await make(kernel, large, { '@type': PAGE, id: `page-${i}` });
    const statementsFor = async (path: string) => {
      const out = await during(() => checkOut(kernel, { caller, path, lockToken: undefined }));
      const back = await during(() => checkIn(kernel, { caller, path, lockToken: undefined }));
      return [out.length, back.length];
    };
    await statementsFor(small);
    expect(await statementsFor(large)).toEqual(await statementsFor(small));
  });
});
