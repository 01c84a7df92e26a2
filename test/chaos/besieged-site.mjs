import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../scripts/lib/client.mjs';
import { startCallers } from './caller.mjs';

/** Milliseconds within which 99 of 100 requests of other networks are answered while a server is attacked. */
const MAX_P99_MS = 1000;
/** Most memory of a server that is attacked, as a multiple of the memory of an idle one. */
const MAX_MEMORY = 2;
/** Milliseconds between two measurements of the server's memory. */
const PAUSE_MS = 50;
/** Milliseconds of a quiet server before its memory counts as that of an idle one. */
const QUIET_MS = 3000;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MEBIBYTE = 2 ** 20;

/** Settings of a server that is attacked from many networks. */
export const SETTINGS = { TRUST_PROXY: 'loopback' };

function memoryOf(pid) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Publishes a page with a form for each captcha, and returns the addresses and ids, and what other callers do on them. */
export async function prepareSite({ url }) {
  const client = await connect(url);
  const schema = {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['name'] }],
    properties: { name: { title: 'Your name', type: 'string', factory: 'label_text_field' } },
    required: [],
  };
  const forms = [];
  for (const captcha of ['', 'honeypot']) {
    const block = { '@type': 'schemaForm', schema, store: true, send: false, data_wipe: -1, captcha };
    const page = { '@type': 'Page', title: 'Contact', blocks: { form: block }, blocks_layout: { items: ['form'] } };
    const { body } = await client.send('POST', '/', page);
    const path = new URL(body['@id']).pathname;
    await client.send('POST', `${path}/@workflow/publish`, {});
    forms.push({ path, id: 'form' });
  }
  await client.send('PATCH', '/@controlpanels/form', { submissions_per_hour: 10_000 });
  const { body } = await client.send('POST', '/@access-tokens', { name: 'program' });
  const [form] = forms;
  const submission = { block_id: form.id, data: { name: 'Ann' } };
  const post = (path, json) => ({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(json) });
  const patch = (Authorization) => ({
    method: 'PATCH',
    path: form.path,
    headers: { ...JSON_TYPE, Authorization },
    body: JSON.stringify({ description: 'Written meanwhile' }),
  });
  const callers = [
    { name: 'read', method: 'GET', path: form.path },
    { name: 'login', ...post('/@login', { login: 'admin', password: 'admin' }) },
    { name: 'form', ...post(`${form.path}/@schemaform-data`, submission) },
    { name: 'token', ...patch(`Bearer ${body.token}`) },
    { name: 'password', ...patch(`Basic ${Buffer.from('admin:admin').toString('base64')}`) },
  ];
  return { forms, callers };
}

/** Prints what the callers meet while nobody attacks, to compare with: the machine may be busy with other things. */
export async function watchPeace(server, callers, duration) {
  await besiege(server, callers, 'nobody attacks', async () => {
    await sleep(duration);
    return {};
  });
}

/**
 * Lets callers of other networks work while `attack` is under way. Prints what they met, and returns the problems: waiting times,
 * memory, statuses that they did not expect, and answers of 500, also among the statuses that `attack` resolves to.
 */
export async function besiege({ url, pid }, callers, name, attack) {
  await sleep(QUIET_MS);
  const idle = memoryOf(pid);
  let highest = idle;
  let isOver = false;
  const calling = startCallers(url, callers);
  const measuring = (async () => {
    while (!isOver) {
      highest = Math.max(highest, memoryOf(pid));
      await sleep(PAUSE_MS);
    }
  })();
  const attackers = await attack();
  const calls = await calling.leave();
  isOver = true;
  await measuring;
  const problems = [];
  for (const kind of callers) {
    const own = calls.filter((call) => call.name === kind.name);
    const times = own.map(({ time }) => time).sort((a, b) => a - b);
    const [p99, worst] = [quantile(times, 0.99), times.at(-1) ?? 0].map(Math.round);
    const failed = own.filter(({ status }) => status < 200 || status >= 300).map(({ status }) => status);
    console.log(
      `  ${name}, ${kind.name}: ${own.length} requests, p99 ${p99} ms, worst ${worst} ms, failed ${failed.length}`,
    );
    if (own.length === 0 || p99 > MAX_P99_MS) problems.push(`${name}: p99 of ${kind.name} is ${p99} ms`);
    if (failed.length > 0) problems.push(`${name}: ${kind.name} was answered with ${[...new Set(failed)].join(', ')}`);
  }
  const [before, most] = [idle, highest].map((bytes) => Math.round(bytes / MEBIBYTE));
  console.log(`  ${name}: memory ${before} MiB, at most ${most} MiB; attackers ${JSON.stringify(attackers)}`);
  if (highest > MAX_MEMORY * idle) problems.push(`${name}: memory rose from ${before} to ${most} MiB`);
  if (attackers[500]) problems.push(`${name}: attackers were answered with 500`);
  return problems;
}
