import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningSite, startSite } from 'canopy-server/testing';
import feature from './index.ts';

let site: RunningSite;
before(async () => {
  site = await startSite({ features: [feature] });
});
after(() => site.close());

async function addInstructions(title: string, fields: object = {}): Promise<string> {
  const { status, body } = await site.request('POST', '/', { json: { '@type': 'Example', title, ...fields } });
  assert.equal(status, 201, JSON.stringify(body));
  return new URL(body['@id']).pathname;
}

test('stars that are given show in the average', async () => {
  const path = await addInstructions('Tie a knot');
  const { body } = await site.request('POST', `${path}/@example-rating`, { json: { stars: 4 } });
  assert.deepEqual(body, { average: 4, count: 1 });
  const expanded = await site.request('GET', `${path}?expand=example-rating`);
  assert.equal(expanded.body['@components']['example-rating'].average, 4);
});

test('more stars than the panel allows are refused, and so is a visitor', async () => {
  const path = await addInstructions('Whistle');
  const tooMany = await site.request('POST', `${path}/@example-rating`, { json: { stars: 6 } });
  assert.equal(tooMany.status, 400);
  await site.request('PATCH', '/@controlpanels/example', { json: { max_stars: 10 } });
  const allowed = await site.request('POST', `${path}/@example-rating`, { json: { stars: 6 } });
  assert.equal(allowed.status, 200);
  const visitor = await site.request('POST', '/@example-rating', { as: 'anonymous', json: { stars: 1 } });
  assert.equal(visitor.status, 401);
});

test('a badge reads in the name of its user, and does no more', async () => {
  const headers = { 'X-Example-Badge': 'badge-0001' };
  const read = await site.request('GET', '/@users/admin', { as: 'anonymous', headers });
  assert.equal(read.status, 200);
  const json = { '@type': 'Example', title: 'Door' };
  const written = await site.request('POST', '/', { as: 'anonymous', headers, json });
  assert.equal(written.status, 403);
  const wrong = await site.request('GET', '/@users/admin', { as: 'anonymous', headers: { 'X-Example-Badge': 'x' } });
  assert.equal(wrong.status, 401);
});

test('instructions are published by somebody else than their owner', async () => {
  const path = await addInstructions('Tie a bow');
  assert.equal((await site.request('POST', `${path}/@workflow/publish`)).status, 400);
  const editor = {
    username: 'editor',
    email: 'editor@example.org',
    password: 'A long password 77',
    roles: ['Manager'],
  };
  assert.equal((await site.request('POST', '/@users', { json: editor })).status, 201);
  const as = { login: editor.username, password: editor.password };
  const { body } = await site.request('POST', `${path}/@workflow/publish`, { as });
  assert.equal(body.review_state, 'published');
});

test('a change of the steps removes the ratings', async () => {
  const path = await addInstructions('Boil an egg', { steps: 'Boil water.' });
  await site.request('POST', `${path}/@example-rating`, { json: { stars: 5 } });
  await site.request('PATCH', path, { json: { steps: 'Boil water first.' } });
  assert.equal((await site.request('GET', `${path}/@example-rating`)).body.count, 0);
});

test('a content rule forgets the ratings of instructions with many steps', async () => {
  const panel = '/@controlpanels/content-rules';
  const { body: rule } = await site.request('POST', panel, { json: { title: 'Again', event: 'onAfterModified' } });
  const address = `${panel}/${rule.id}`;
  const condition = await site.request('POST', `${address}/condition`, { json: { type: 'example-effort', steps: 2 } });
  assert.equal(condition.body.conditions[0].summary, 'At least 2 steps');
  await site.request('POST', `${address}/action`, { json: { type: 'example-forget-ratings' } });
  await site.request('POST', `/@content-rules/${rule.id}`);
  for (const [steps, count] of [
    ['One step', 1],
    ['One step\nAnother', 0],
  ] as const) {
    const path = await addInstructions('Jump', { steps });
    await site.request('POST', `${path}/@example-rating`, { json: { stars: 5 } });
    await site.request('PATCH', path, { json: { title: 'Jump high' } });
    assert.equal((await site.request('GET', `${path}/@example-rating`)).body.count, count);
  }
});

test('an effort is checked, and found by its number', async () => {
  const refused = await site.request('POST', '/', { json: { '@type': 'Example', title: 'Nap', effort: 'none' } });
  assert.equal(refused.status, 400);
  const path = await addInstructions('Build a boat', { effort: 'HIGH' });
  const { body } = await site.request('GET', '/@search?example_level=3');
  assert.deepEqual(
    body.items.map((item: { '@id': string }) => new URL(item['@id']).pathname),
    [path],
  );
});

test('a step is stored as a number of minutes, found by its words and written in Markdown', async () => {
  const { body: page } = await site.request('POST', '/', {
    json: {
      '@type': 'Page',
      title: 'Tea',
      blocks: { s: { '@type': 'example-step', task: 'Pour it over the leaves', minutes: '3' } },
      blocks_layout: { items: ['s'] },
    },
  });
  assert.equal(page.blocks.s.minutes, 3);
  const path = new URL(page['@id']).pathname;
  assert.equal((await site.request('GET', '/@search?SearchableText=leaves')).body.items_total, 1);
  assert.match((await site.request('GET', `${path}/markdown_view`)).text, /Pour it over the leaves \(3 min\)/);
});

test('the vocabulary has three efforts, in the language of the reader', async () => {
  const headers = { 'Accept-Language': 'de' };
  await site.request('PATCH', '/@controlpanels/language', {
    json: { available_languages: ['en', 'de'], use_request_negotiation: true },
  });
  const { body } = await site.request('GET', '/@vocabularies/example.Efforts', { headers });
  const titles = body.items.map(({ title }: { title: string }) => title);
  assert.deepEqual(titles.sort(), ['Gering', 'Hoch', 'Mittel']);
});

test('the job forgets old ratings', async () => {
  const { body: nightly } = await site.request('GET', '/@scheduled-jobs/example-forget');
  assert.equal(nightly.schedule, '0 3 * * *');
  const path = await addInstructions('Fold a hat');
  await site.request('POST', `${path}/@example-rating`, { json: { stars: 3 } });
  const job = { id: 'forget', title: 'Forget', action: 'example-forget', params: { days: 0 }, schedule: '0 3 * * *' };
  const made = await site.request('POST', '/@scheduled-jobs', { json: job });
  assert.equal(made.status, 201, made.text);
  const started = await site.request('POST', '/@scheduled-jobs/forget/start');
  assert.ok(started.status < 300, started.text);
  for (let wait = 0; wait < 100; wait += 1) {
    const { body } = await site.request('GET', `${path}/@example-rating`);
    if (body.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the ratings are still there');
});

test('an upgrade from version 1 cuts ratings in the background', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'example-upgrade-'));
  const settings = { DATA_DIR: folder };
  const { upgradeSteps: _steps, ...rest } = feature;
  const old = await startSite({ features: [{ ...rest, profile: { ...feature.profile, version: '1' } }], settings });
  await old.request('PATCH', '/@controlpanels/example', { json: { max_stars: 9 } });
  const paths: string[] = [];
  for (const [title, stars] of Object.entries({ Sing: 9, Dance: 8, Sleep: 2 })) {
    const { body } = await old.request('POST', '/', { json: { '@type': 'Example', title } });
    paths.push(new URL(body['@id']).pathname);
    await old.request('POST', `${paths.at(-1)}/@example-rating`, { json: { stars } });
  }
  await old.request('PATCH', '/@controlpanels/example', { json: { max_stars: 5 } });
  await old.close();

  // The start upgrades what a feature installs by itself.
  const upgraded = await startSite({ features: [feature], settings });
  const averages = async () => {
    const found: number[] = [];
    for (const path of paths) found.push((await upgraded.request('GET', `${path}/@example-rating`)).body.average);
    return found.join();
  };
  try {
    const { body: addon } = await upgraded.request('GET', '/@addons/canopy-addon-example');
    assert.equal(addon.upgrade_info.installedVersion, '2');
    for (let wait = 0; wait < 200 && (await averages()) !== '5,5,2'; wait += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await averages(), '5,5,2');
  } finally {
    await upgraded.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a reader suggests instructions, and editors rename and remove them', async () => {
  const reader = { username: 'reader', email: 'reader@example.org', password: 'A long password 77' };
  assert.equal((await site.request('POST', '/@users', { json: reader })).status, 201);
  const as = { login: reader.username, password: reader.password };
  const suggested = await site.request('POST', '/@example-suggestions', { as, json: { title: 'Sew on a button' } });
  assert.equal(suggested.status, 201, JSON.stringify(suggested.body));
  assert.equal(
    (await site.request('POST', '/@example-suggestions', { as: 'anonymous', json: { title: 'X' } })).status,
    401,
  );
  const { body: list } = await site.request('GET', '/@example-suggestions?b_size=1');
  assert.deepEqual([list.items.length, list.items[0].title], [1, 'Sew on a button']);
  const address = `/@example-suggestions/${list.items[0].UID}`;
  assert.equal((await site.request('PATCH', address, { as, json: { title: 'Mine' } })).status, 403);
  assert.equal((await site.request('PATCH', address, { json: { title: 'Sew on two buttons' } })).status, 204);
  assert.equal((await site.request('DELETE', address)).status, 204);
  assert.equal((await site.request('DELETE', address)).status, 404);
});
