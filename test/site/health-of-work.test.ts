import { beforeAll, expect, it } from 'vitest';
import { ruleHealth, webhookHealth } from '../../src/features/content-rules/health.ts';
import { addressHealth, mailHealth } from '../../src/features/email/health.ts';
import { failedJobHealth } from '../../src/features/jobs/queue.ts';
import { checkHealth } from '../../src/features/monitoring/health.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('the health of work in the background', (engine) => {
  const site = useTestSite(engine, () => ({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } }));
  const run = (text: string) => site.kernel.db.query({ text });
  beforeAll(async () => void (await site.kernel.sites.current()));

  it('@health warns of mails that the server does not take, and of links that lead nowhere', async () => {
    expect(await mailHealth.observe(site.kernel)).toMatchObject({ status: 'pass', observedValue: 0 });
    await run(`insert into queue_item (kind, topic, data, attempts, due, expires)
      select 'mail', 'mail', '{}', n, now() + interval '1 hour', now() + interval '1 day' from generate_series(1, 3) n`);
    expect(await mailHealth.observe(site.kernel)).toMatchObject({
      status: 'warn',
      observedValue: 3,
      output: '127.0.0.1:1 has not taken 1 mails; the log has the causes',
    });
    expect(await addressHealth.observe(site.kernel)).toMatchObject({ status: 'warn', observedValue: 'no' });
  });

  it('@health warns of webhooks that nobody takes, and of rules that have failed within an hour', async () => {
    expect(await webhookHealth.observe(site.kernel)).toMatchObject({ status: 'pass', observedValue: 0 });
    await run(`insert into queue_item (kind, topic, data, attempts, due, expires)
      select 'webhook', 'tell', '{"path": "/", "request": {"url": "http://127.0.0.1:1/", "method": "POST"}}', n, now() + interval '1 hour', now() + interval '1 day' from generate_series(1, 4) n`);
    expect(await webhookHealth.observe(site.kernel)).toMatchObject({ status: 'warn', observedValue: 4 });
    await site.request('POST', '/@controlpanels/content-rules', { json: { title: 'Tell', event: 'onAfterAdd' } });
    await run(`insert into content_rule_failure (rule, at, path, message)
      values ('tell', now() - interval '2 hours', '/', 'old')`);
    expect(await ruleHealth.observe(site.kernel)).toMatchObject({ status: 'pass', observedValue: 0 });
    await run(`insert into content_rule_failure (rule, at, path, message) values ('tell', now(), '/', 'new')`);
    expect(await ruleHealth.observe(site.kernel)).toMatchObject({ status: 'warn', output: 'tell: 1' });
  });

  it('@health warns of a job that failed within a day, until the same work is done', async () => {
    const closed = (status: string, hours: number) =>
      run(`insert into job (id, action, params, title, description, as_system, exclusive, status, finished)
        values (gen_random_uuid(), 'reindex', '{"x": 1}', '', '', true, false, '${status}', now() - interval '${hours} hours')`);
    await closed('failed', 30);
    expect(await failedJobHealth.observe(site.kernel)).toMatchObject({ status: 'pass' });
    await closed('failed', 2);
    expect(await failedJobHealth.observe(site.kernel)).toMatchObject({ status: 'warn', output: 'reindex: 1' });
    await closed('completed', 1);
    expect(await failedJobHealth.observe(site.kernel)).toMatchObject({ status: 'pass', observedValue: 0 });
  });

  it('visitors see the states of the checks, and not what is wrong', async () => {
    const { checks, status } = await checkHealth(site.kernel, { details: false });
    expect(status).toBe('warn');
    expect(checks['mail:waiting']?.[0]).toMatchObject({ status: 'warn' });
    expect(checks['mail:waiting']?.[0]).not.toHaveProperty('output');
  });
});
