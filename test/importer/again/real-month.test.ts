import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, run, stored } from '../import-helpers.ts';
import { updateStored } from './edit-here.ts';
import { contentOf } from './old-site.ts';

/** Folder with exports of real sites, which are not part of this repository; without it this test is skipped. */
const conference = `${process.env.TEST_EXPORTS ?? ''}/ploneconf-2024`;

type Items = Map<string, { file: string; item: JsonObject }>;

const pathOf = ({ '@id': id }: JsonObject): string => String(id);

/** Lets the old site change for a month: every third page edited, some moved, renamed and removed, new ones added. */
async function monthThere(folder: string): Promise<Record<'edited' | 'added' | 'moved' | 'removed', number>> {
  const items: Items = new Map();
  const names = (await readdir(path.join(folder, 'items'))).sort(
    (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
  );
  for (const name of names) {
    const file = path.join(folder, 'items', name);
    const item: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isJsonObject(item)) items.set(pathOf(item), { file, item });
  }
  const figures = { edited: 0, added: 0, moved: 0, removed: 0 };
  const pages = [...items.values()].filter(({ item }) => item['@type'] === 'Document' || item['@type'] === 'News Item');
  const leaves = [...items.values()].filter(
    ({ item }) =>
      ![...items.keys()].some((other) => other.startsWith(`${pathOf(item)}/`)) && pathOf(item).split('/').length > 3,
  );
  for (const [index, { file, item }] of pages.entries()) {
    if (index % 3 !== 0) continue;
    await writeFile(
      file,
      JSON.stringify({ ...item, title: `${item.title} (${index})`, modified: '2030-01-02T03:04:05+00:00' }),
    );
    figures.edited += 1;
  }
  for (const [index, { file, item }] of leaves.entries()) {
    if (index % 9 === 0) {
      await rm(file);
      figures.removed += 1;
    } else if (index % 9 === 4) {
      const current: JsonObject = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...current, '@id': `${pathOf(item)}-renamed`, id: `${item.id}-renamed` }));
      figures.moved += 1;
    }
  }
  const [model] = pages.filter(({ item }) => pathOf(item).startsWith('/en/'));
  for (let number = 0; number < 5; number += 1) {
    const id = `new-${number}`;
    const added = { ...model?.item, '@id': `/en/${id}`, id, UID: `0000${number}`, title: id, is_folderish: true };
    await writeFile(path.join(folder, 'items', `${9000 + number}.json`), JSON.stringify(added));
    figures.added += 1;
  }
  return figures;
}

describe.skipIf(!existsSync(conference))('a real site beside its successor', () => {
  describeEachEngine('the conference site', (engine) => {
    it('A month of changes on both sides is brought together, and the conflicts are listed.', {
      timeout: 300_000,
    }, async () => {
      const { kernel } = await freshSite(engine);
      await run(kernel, conference);
      const first = await contentOf(kernel);
      const same = await run(kernel, conference, { again: 'stop' });
      expect(same.again?.counts).toMatchObject({
        added: 0,
        changed: 0,
        moved: 0,
        removed: 0,
        reordered: 0,
        unchanged: 75,
      });
      expect(await contentOf(kernel)).toBe(first);

      const copy = await mkdtemp(path.join(tmpdir(), 'canopy-month-'));
      onTestFinished(() => rm(copy, { recursive: true, force: true }));
      await cp(conference, copy, { recursive: true });
      const figures = await monthThere(copy);
      const pages = [...(await stored(kernel)).values()].filter(
        ({ type, path: at }) => ['Page', 'News Item'].includes(type) && at !== '/',
      );
      for (const [index, page] of pages.entries()) {
        if (index % 4 === 0) await updateStored(kernel, page.path, { description: `ours ${index}` });
        if (index % 10 === 1) await updateStored(kernel, page.path, { title: `ours ${index}` });
      }
      const before = await stored(kernel);
      const started = Date.now();
      const stopped = await run(kernel, copy, { again: 'stop' });
      expect(stopped.refused).toBe((stopped.again?.counts.conflicts ?? 0) > 0);
      const rehearsed = Date.now();
      const done = await run(kernel, copy, { again: 'keep' });
      const seconds = [(rehearsed - started) / 1000, (Date.now() - rehearsed) / 1000];
      if (process.env.TEST_FIGURES) console.info({ engine, figures, seconds, counts: done.again?.counts });
      const changedHere = (done.again?.conflicts ?? []).filter(
        ({ part, there }) => part === 'object' && there === 'removed',
      );
      expect(done.again?.counts).toMatchObject({
        added: figures.added,
        moved: figures.moved,
        removed: figures.removed - changedHere.length,
      });
      const after = await stored(kernel);
      for (const page of before.values()) {
        const { description } = page.fields;
        const now = [...after.values()].find(({ uid }) => uid === page.uid);
        if (typeof description === 'string' && description.startsWith('ours '))
          expect(now?.fields.description).toBe(description);
      }
      const settled = await contentOf(kernel);
      const again = await run(kernel, copy, { again: 'stop' });
      expect(again.again?.counts).toMatchObject({
        added: 0,
        changed: 0,
        moved: 0,
        removed: 0,
        reordered: 0,
        conflicts: 0,
      });
      expect(await contentOf(kernel)).toBe(settled);
    });
  });
});
