import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nickReader } from '@canopy-server/nick-export';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { startTestSite } from '../../support/site.ts';
import { freshSite, messages, run, stored } from '../import-helpers.ts';
import { differences } from './compare.ts';

/** The folder `src/profiles` of a checkout of Nick. Its profiles are not part of this repository. */
const FOLDER = process.env.NICK_PROFILES ?? '';

/** The address of a running Nick, to compare each address with, and the profiles of its site. */
const ADDRESS = process.env.NICK_ADDRESS ?? '';
const PROFILES = process.env.NICK_SITE ?? 'core,examplecontent';

/** The differences that are meant: the folder of a language has the type that Plone has for it, and a site without a title or blocks has those of a new site. */
const MEANT = [
  '/ title: "" / "Welcome to Canopy!"',
  '/ blocks_layout: {} / {"items":[]}',
  '/en @type: "Languageroot" / "LRF"',
  '/nl @type: "Languageroot" / "LRF"',
];

/** Nick's own sites: their profiles in the order of its config, and the number of objects that they have. */
const SITES = [
  { profiles: 'core,examplecontent', objects: 7 },
  { profiles: 'core,multilingual,multilingualcontent', objects: 8 },
];

describeEachEngine("Nick's own example sites", (engine) => {
  it.skipIf(!existsSync(join(FOLDER, 'core'))).each(SITES)(
    'The site of $profiles comes whole, and again without a difference.',
    async ({ profiles, objects: count }) => {
      const { kernel } = await freshSite(engine);
      const options = { reader: nickReader, readerOptions: { profiles } };
      const summary = await run(kernel, FOLDER, options);
      console.log(profiles, summary.objects, summary.reasons, messages(summary));
      expect(summary.objects).toMatchObject({ created: count, failed: 0 });
      expect((await stored(kernel)).size).toBe(count);
      for (const reason of ['object', 'unreadable', 'value', 'file', 'target'] as const)
        expect(summary.reasons).not.toHaveProperty(reason);
      const again = await run(kernel, FOLDER, { ...options, again: 'stop' });
      expect(again.again?.counts).toMatchObject({ unchanged: count, changed: 0, added: 0, reordered: 0, conflicts: 0 });
    },
  );

  it.skipIf(ADDRESS === '')('Each address responds as Nick does.', async () => {
    const site = await startTestSite(engine);
    try {
      const { kernel } = site;
      await run(kernel, FOLDER, { reader: nickReader, readerOptions: { profiles: PROFILES } });
      const found: string[] = [];
      for (const path of (await stored(kernel)).keys()) {
        const nick = await (await fetch(`${ADDRESS}${path}`)).json();
        const { body } = await site.request('GET', path, { as: site.admin });
        const here = { nick: ADDRESS, here: site.url };
        found.push(...differences(nick, body, here).map((line) => `${path} ${line}`));
        const ids = (response: typeof body) => response.items?.map(({ id }: { id: string }) => id) ?? [];
        expect([path, ids(body)]).toEqual([path, ids(nick)]);
      }
      expect(found.filter((line) => !MEANT.includes(line))).toEqual([]);
    } finally {
      await site.close();
    }
  });
});
