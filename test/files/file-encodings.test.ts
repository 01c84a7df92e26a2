import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('files in JSON', (engine) => {
  const site = useTestSite(engine);
  const create = (file: Json) =>
    site.request('POST', '/', {
      json: { '@type': 'File', title: 'Notes', file: { filename: 'a.txt', 'content-type': 'text/plain', ...file } },
    });

  it.each<[string, Json, string]>([
    ['without an encoding', { data: 'plain text: ä' }, 'plain text: ä'],
    ['in UTF-8', { data: 'plain text: ä', encoding: 'utf-8' }, 'plain text: ä'],
    ['in hexadecimal', { data: '706c61696e', encoding: 'hex' }, 'plain'],
    ['in base64', { data: 'cGxhaW4=', encoding: 'base64' }, 'plain'],
  ])('a file %s has the bytes that were meant', async (_name, file, text) => {
    const { status, body } = await create(file);
    expect(status).toBe(201);
    expect((await site.request('GET', `${new URL(body['@id']).pathname}/@@download/file`)).text).toBe(text);
  });

  it.each<[Json, RegExp]>([
    [{ data: 'cGxhaW4', encoding: 'base64' }, /not base64/],
    [{ data: 'c-', encoding: 'base64' }, /not base64/],
    [{ data: '70f', encoding: 'hex' }, /not hexadecimal/],
    [{ data: 'x', encoding: 'rot13' }, /must be .*base64.*hex.*utf-8/],
    [{ data: 'a'.repeat(1_100_000) }, /is taken as base64: say so/],
    [{ data: 'a'.repeat(1_100_001), encoding: 'base64' }, /not base64/],
  ])('a file that cannot be read is refused: %#', async (file, message) => {
    const { status, body } = await create(file);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
  });
});
