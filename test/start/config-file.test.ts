import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, Program } from './program.ts';

const ONE_LINE = /^canopy: [^\n]+\n$/;
const HELLO = `import { defineFeature, defineService, ok } from 'canopy-server';
const hello = (name) => defineService({ name, method: 'GET', context: 'site', permission: null, summary: 'Hello.',
  responses: { 200: { description: 'Hello.' } }, run: async () => ok({ hello: 'world' }) });\n`;

describe.skipIf(!isBuilt())('the configuration file', () => {
  let folder: string;
  let count = 0;

  /** Writes a configuration and runs `canopy start` with it. */
  async function start(text: string, name = 'canopy.config.mjs'): Promise<Program> {
    count += 1;
    const own = join(folder, String(count));
    await mkdir(own);
    await writeFile(join(own, name), text);
    return new Program(['start'], { DATA_DIR: join(own, 'data'), CANOPY_CONFIG: join(own, name) });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'canopy-config-'));
    await mkdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken/index.mjs'), `throw new Error('out of order\\nand of lines');`);
    await mkdir(join(folder, 'greeter'));
    await writeFile(
      join(folder, 'greeter/index.mjs'),
      `import { defineService, ok } from 'canopy-server';
      export default ({ word = 'Hello' }) => {
        if (typeof word !== 'string') throw new Error('"word" must be a text.');
        const service = defineService({ name: '@greet', method: 'GET', context: 'site', permission: null, summary: 'Greets.',
          responses: { 200: { description: 'The word.' } }, run: async () => ok({ word }) });
        return { name: 'greeter', services: [service] };
      };`,
    );
    await mkdir(join(folder, 'plain'));
    await writeFile(join(folder, 'plain/index.mjs'), `export default { name: 'plain' };`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('canopy.config serves the feature that docs/add-ons.md shows, and one with options, with the settings of the file', async () => {
    const document = await readFile(new URL('../../docs/add-ons.md', import.meta.url), 'utf8');
    const example = /^```js no-test\n([\s\S]*?)^```/m.exec(document)?.[1] ?? '';
    const program = await start(
      example
        .replace('defineConfig({', `defineConfig({ settings: { ADMIN_PASSWORD: 'given' },`)
        .replace('features: [', `features: [['../greeter', { word: 'Ahoy' }], `),
    );
    try {
      const response = await fetch(`${await program.address()}/@hello`);
      expect([response.status, await response.json()]).toEqual([200, { hello: 'Welcome to Canopy!' }]);
      expect(program.password()).toBeUndefined();
      expect(await (await fetch(`${await program.address()}/@greet`)).json()).toEqual({ word: 'Ahoy' });
    } finally {
      await program.stop();
    }
  });

  it.each([
    ['export default { feature: [] };', 'Unknown key "feature"'],
    ['export default 1;', 'must have an object'],
    [`export default { features: ['no-such-package'] };`, 'The package "no-such-package" cannot be loaded'],
    [`export default { features: ['../broken'] };`, 'out of order and of lines'],
    [
      `export default { features: [{ name: 'hello', endpoints: [] }] };`,
      'The feature "hello" has an unknown key "endpoints"',
    ],
    [`export default { features: [{ name: 'hello', services: {} }] };`, '"services" must be a list'],
    [`export default { features: [{ name: 'hello', services: [{ name: '@x' }] }] };`, '"@x" must have a method'],
    [`export default { features: [['../greeter', { word: 1 }]] };`, 'refuses its options: "word" must be a text.'],
    [`export default { features: [['../plain', { word: 'a' }]] };`, '"../plain" takes no options'],
    [`export default { features: [['../plain']] };`, 'features[0] must be a feature, the name of a package, or a list'],
    [
      `export default { features: [{ name: 'a', schedules: [{ id: 'a', title: 'A', action: 'reindex', schedule: 'often' }] }] };`,
      'The feature "a" cannot be used: The schedule "a" must have a cron expression',
    ],
    [
      `export default { features: [{ name: 'a', managePages: [{ name: 'b', title: 'B', permission: 'View', module: '/none.js' }] }] };`,
      'The feature "a" cannot be used: The module of its page "b" cannot be read at /none.js.',
    ],
    [
      `export default { features: [{ name: 'a', managePages: [{ name: 'B', title: 'B', permission: 'View', module: '/b.js' }] }] };`,
      'A page of "managePages" must have a name of small letters, digits, _ and -',
    ],
    [
      `export default { features: [{ name: 'a', managePages: [{ name: 'b', title: 'B', permission: 'View', module: 'b.js' }] }] };`,
      'A page of "managePages" "b" must have a module: the absolute path or the file: URL of a file',
    ],
    [`export default { settings: { PROT: 1 } };`, 'Unknown setting PROT'],
    [`export default { profiles: ['./nowhere'] };`, 'There is no folder of profiles'],
    [`${HELLO}export default { features: [{ name: 'a', services: [hello('@hello')] }, { name: 'jobs' }] };`, '"jobs"'],
    [
      `${HELLO}export default { features: [{ name: 'a', services: [hello('@a')] }, { name: 'b', services: [hello('@a')] }] };`,
      'The feature "b" cannot be used: There are two services GET @a',
    ],
    [
      `export default { features: [{ name: 'a', panels: [{ id: 'site', title: 'Site', group: 'General', settings: [] }] }] };`,
      'The feature "a" cannot be used: There are two control panels site',
    ],
  ])('a configuration that cannot be used stops the start with one line: %s', async (text, message) => {
    const program = await start(text);
    expect(await program.ended()).toBe(1);
    expect(program.stderr).toMatch(ONE_LINE);
    expect(program.stderr).toContain(message);
  });

  it.skipIf(Reflect.get(process.features, 'typescript'))(
    'TypeScript is refused with advice where Node does not run it',
    async () => {
      const program = await start('export default {};', 'canopy.config.ts');
      expect(await program.ended()).toBe(1);
      expect(program.stderr).toMatch(ONE_LINE);
      expect(program.stderr).toContain('Node 22.18');
    },
  );
});
