import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestTo } from '../../src/app/test-client.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { rulesOf } from '../content-rules/rule-site.ts';
import { engines } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { copyProfile, type ProfileCopy } from '../upgrades/profile-copy.ts';
import { type AnotherProcess, startAnotherProcess } from './another-process.ts';

/** Counts its runs in the database, so that both processes count together. */
const counting = defineFeature({
  name: 'counting',
  upgradeSteps: [
    {
      id: 'counting-1001',
      title: 'Count',
      from: '1000',
      to: '1001',
      async run(tx) {
        await tx.query({
          text: `insert into site_state values ('counted', '1')
            on conflict (name) do update set value = (site_state.value::int + 1)::text`,
        });
      },
    },
  ],
});

describe.skipIf(!engines().includes('postgresql'))('two processes on one database', () => {
  let profile: ProfileCopy;
  beforeAll(async () => {
    profile = await copyProfile();
  });
  afterAll(() => profile?.close());
  const site = useTestSite('postgresql', () => ({
    profile: 'village',
    profiles: profile.profiles,
    features: [counting],
  }));
  const rules = rulesOf(site);
  let other: AnotherProcess;
  beforeAll(async () => {
    other = await startAnotherProcess(site, { features: [counting] });
  });
  afterAll(() => other?.close());

  const askOther = async (status: number, method: string, path: string, json?: Json): Promise<Json> => {
    const answer = await requestTo(other.url)(method, path, json === undefined ? {} : { json });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    return answer.body;
  };
  const stateOnOther = async (folder: string): Promise<string> =>
    (await askOther(201, 'POST', folder, { '@type': 'Page', title: 'Page' })).review_state;

  it('a change of a rule in one process counts at once in the other', async () => {
    const folder = await rules.addFolder();
    expect(await stateOnOther(folder)).toBe('private');
    for (let round = 0; round < 5; round += 1) {
      const rule = await rules.addRule({ actions: [{ type: 'transition_workflow', transition: 'publish' }] });
      expect(await stateOnOther(folder), 'a rule of no folder').toBe('private');
      await rules.assign(folder, rule);
      expect(await stateOnOther(folder), 'an assigned rule').toBe('published');
      await rules.ask(204, 'PATCH', `/@controlpanels/content-rules/${rule}`, { enabled: false });
      expect(await stateOnOther(folder), 'a rule that is off').toBe('private');
      await rules.ask(204, 'PATCH', `/@controlpanels/content-rules/${rule}`, { enabled: true });
      await rules.ask(204, 'PATCH', `/@controlpanels/content-rules/${rule}/action/0`, { transition: 'submit' });
      expect(await stateOnOther(folder), 'a rule with another action').toBe('pending');
      await rules.ask(204, 'DELETE', `/@controlpanels/content-rules/${rule}`);
      expect(await stateOnOther(folder), 'a rule that is gone').toBe('private');
    }
  });

  it('of two processes that upgrade at once one does it, and the other says that it is done', async () => {
    await profile.edit('types/Page.json', (data) => Object.assign(data, { description: 'More words' }));
    await profile.release('1001');
    const answers = await Promise.all([
      site.request('POST', '/@upgrade', { json: {} }),
      requestTo(other.url)('POST', '/@upgrade', { json: {} }),
      requestTo(other.url)('POST', '/', { json: { '@type': 'Page', title: 'Meanwhile' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
    const reports: string[] = answers.slice(0, 2).map(({ body }) => body.report);
    const won = reports.filter((report) => report.includes('from version 1000 to 1001'));
    const said = reports.filter((report) => report.includes('The site is at version 1001 already.'));
    expect([won.length, said.length]).toEqual([1, 1]);
    expect(won[0]).toContain('becomes "More words"');
    expect(said[0]).not.toMatch(/Running|Changed/);
    const [counted] = await site.kernel.db.query<{ value: string }>({
      text: `select value from site_state where name = 'counted'`,
    });
    expect(counted?.value).toBe('1');
    for (const { body } of [
      await site.request('GET', '/@controlpanels/dexterity-types/Page'),
      await requestTo(other.url)('GET', '/@controlpanels/dexterity-types/Page'),
    ])
      expect(body.description).toBe('More words');
  });
});
