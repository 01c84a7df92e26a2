import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';

/** The most bytes of the client in a page, minified and compressed. */
const MAX_BYTES = 8 * 1024;

it('the whole client has at most 8 kB in a page, and imports nothing', async () => {
  const bundle = await rolldown({ input: packageFolder('packages/client/src/index.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  const size = gzipSync(output[0].code, { level: 9 }).byteLength;
  expect(size, `${size} bytes`).toBeLessThanOrEqual(MAX_BYTES);
  if (process.env.PRINT_SIZE) console.log(size, output[0].code.length);
});
