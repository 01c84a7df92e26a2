import { expect, test } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { addType } from '../content/add-type.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('choices from a vocabulary', (engine) => {
  const site = useTestSite(engine);

  const declare = (id: string, items: [string, string][]) =>
    writeConfiguration(site.kernel.db, [
      {
        kind: KINDS.vocabulary,
        id,
        position: 0,
        data: { id, title: id, items: items.map(([token, title]) => ({ token, title })) },
      },
    ]);
  const add = (input: Record<string, unknown>) =>
    site.request('POST', '/', { json: { '@type': 'Shirt', title: 'Shirt', ...input } });

  test('values of a choice are checked against the terms of the site and served with their titles', async () => {
    await declare('sizes', [
      ['s', 'Small'],
      ['l', 'Large'],
    ]);
    await addType(site.kernel, {
      id: 'Shirt',
      properties: {
        size: { factory: 'Choice', vocabulary: { '@id': 'sizes' } },
        sizes: { factory: 'Multiple Choice', type: 'array', items: { vocabulary: { '@id': 'sizes' } } },
        state: { factory: 'Choice', vocabulary: { '@id': `${site.url}/@vocabularies/workflowStates` } },
        language: { factory: 'Choice', vocabulary: { '@id': 'availableLanguages' } },
        tag: { factory: 'Choice', vocabulary: { '@id': 'subjects' } },
        lost: { factory: 'Choice', vocabulary: { '@id': 'no.such.vocabulary' } },
      },
    });
    const made = await add({ size: 's', sizes: ['l', { token: 's' }], state: 'private' });
    expect(made.body).toMatchObject({
      size: { token: 's', title: 'Small' },
      sizes: [
        { token: 'l', title: 'Large' },
        { token: 's', title: 'Small' },
      ],
      state: { token: 'private', title: 'Private' },
    });
    for (const [field, value] of Object.entries({ size: 'xl', sizes: ['s', 'xl'], state: 'S' })) {
      const { status, body } = await add({ [field]: value });
      expect([status, body.errors], field).toEqual([400, [expect.objectContaining({ field })]]);
    }
  });

  test('values of a choice are free where the vocabulary is searched, open or gone', async () => {
    const { status, body } = await add({ language: 'tlh', tag: 'new', lost: 'anything' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ tag: 'new', lost: 'anything' });
  });

  test('the empty token that forms send clears a choice', async () => {
    expect((await add({ size: '', state: null })).body).toMatchObject({ size: null, state: null });
  });

  test('a change of a vocabulary counts for choices at once', async () => {
    await declare('sizes', [['xl', 'Huge']]);
    expect((await add({ size: 'xl' })).body.size).toEqual({ token: 'xl', title: 'Huge' });
    expect((await add({ size: 's' })).status).toBe(400);
    expect((await site.request('GET', '/@vocabularies/sizes')).body.items).toEqual([{ token: 'xl', title: 'Huge' }]);
  });

  test('a vocabulary that a site declares goes before one of the same name', async () => {
    await declare('boolean', [['maybe', 'Maybe']]);
    expect((await site.request('GET', '/@vocabularies/boolean')).body.items).toEqual([
      { token: 'maybe', title: 'Maybe' },
    ]);
    const titles: string[] = (await site.request('GET', '/@vocabularies')).body.map(
      (entry: { title: string }) => entry.title,
    );
    expect(titles.filter((title) => title === 'boolean')).toHaveLength(1);
  });
});
