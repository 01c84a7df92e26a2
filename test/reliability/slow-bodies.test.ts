import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { formsOf } from '../forms/form-site.ts';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { RequestOptions } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const MEBIBYTE = 1024 * 1024;
const POLL = { timeout: 30_000 };
/** Milliseconds that a request beside silent ones may take here; alone it takes some tens. */
const MAX_WAIT_MS = 5000;

describeEachEngine('slow bodies', (engine) => {
  const site = useTestSite(engine, () => ({ environment: { TRUST_PROXY: 'loopback' } }));
  const { page } = formsOf(site);
  const open: Socket[] = [];
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  /** Opens connections that send the beginning of a request, from so many networks; `answers` has what comes back. */
  function begin(count: number, networks: number, head: string, body: string | Buffer) {
    const { hostname, port } = new URL(site.url);
    const answers: string[] = [];
    const sockets = Array.from({ length: count }, (_, n) => {
      const socket = connect(Number(port), hostname);
      open.push(socket);
      answers[n] = '';
      socket.setEncoding('latin1');
      socket.on('error', () => {});
      socket.on('data', (text: string) => {
        answers[n] += text;
      });
      socket.write(
        `${head}\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 10.1.${n % networks}.1\r\n\r\n`,
      );
      socket.write(body);
      return socket;
    });
    return { answers, sockets };
  }
  const places = () => site.server.work.figures();

  /** Sends requests of visitors and programs of another network, and requires that each is served soon. */
  async function requireServed(form: { path: string; id: string }, token: string) {
    const basic = `Basic ${Buffer.from(`${site.admin.login}:${site.admin.password}`).toString('base64')}`;
    const submission = (data: object) => ({ block_id: form.id, data });
    const send = `${form.path}/@schemaform-data`;
    const large = {
      '@type': 'Page',
      title: 'Large',
      blocks: { a: { '@type': 'x', text: 'y'.repeat(1.1 * MEBIBYTE) } },
    };
    const requests: [status: number, method: string, path: string, options: RequestOptions][] = [
      [200, 'POST', '/@login', { as: 'anonymous', json: site.admin }],
      [204, 'POST', send, { as: 'anonymous', json: submission({ name: 'Ann' }) }],
      // Too long for what comes without a place; the response says that it was received.
      [400, 'POST', send, { as: 'anonymous', json: submission({ unknown: 'x'.repeat(40_000) }) }],
      [400, 'POST', send, { as: 'anonymous', json: submission({ unknown: 'x'.repeat(1.1 * MEBIBYTE) }) }],
      [204, 'PATCH', form.path, { as: { token }, json: { title: 'By a token' } }],
      [201, 'POST', '/', { as: { token }, json: large }],
      [204, 'PATCH', '/', { as: 'anonymous', headers: { Authorization: basic }, json: { title: 'By a password' } }],
    ];
    for (const [expected, method, path, options] of requests) {
      const began = performance.now();
      const { status } = await site.request(method, path, {
        ...options,
        headers: { ...options.headers, 'X-Forwarded-For': '10.77.0.1' },
      });
      expect([method, path, status]).toEqual([method, path, expected]);
      expect(performance.now() - began).toBeLessThan(MAX_WAIT_MS);
    }
  }

  it.each([2, 20])(
    'silent bodies from %i networks keep nobody else from logging in, sending forms and writing',
    async (networks) => {
      await changeSettings(site, 'form', { submissions_per_hour: 200 });
      const form = await page();
      const { body } = await site.request('POST', '/@access-tokens', { json: { name: 'program' } });
      begin(100, networks, 'POST /@login HTTP/1.1\r\nContent-Length: 1000', '{');
      begin(30, networks, `POST ${form.path}/@schemaform-data HTTP/1.1\r\nTransfer-Encoding: chunked`, '1\r\n{\r\n');
      const beginning = `{"block_id":"${form.id}","data":{"name":"${'x'.repeat(20_000)}`;
      const half = begin(
        80,
        networks,
        `POST ${form.path}/@schemaform-data HTTP/1.1\r\nContent-Length: 900000`,
        beginning,
      );
      const chunk = `${beginning.length.toString(16)}\r\n${beginning}\r\n`;
      begin(30, networks, `POST ${form.path}/@schemaform-data HTTP/1.1\r\nTransfer-Encoding: chunked`, chunk);
      await expect.poll(() => places().upload.running, POLL).toBeGreaterThan(0);
      await requireServed(form, body.token);
      // Bodies that take up places are refused.
      await expect.poll(() => half.answers.filter((answer) => answer !== '').length, POLL).toBeGreaterThan(0);
      for (const answer of half.answers.filter((text) => text !== '')) {
        expect(answer).toMatch(/^HTTP\/1\.1 (503|408) /);
        expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      }
    },
  );

  it('a body that brings nothing is 408 after its time, and its connection is closed', async () => {
    const { answers, sockets } = begin(1, 1, 'POST /@login HTTP/1.1\r\nContent-Length: 1000', '{');
    const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
    await expect.poll(() => answers[0], { timeout: 40_000 }).toMatch(/^HTTP\/1\.1 408 /);
    expect(answers[0]).toMatch(/\r\nConnection: close\r\n/i);
    expect(answers[0]).toContain('"type":"RequestTimeout"');
    await closed;
  }, 60_000);

  it('a body that comes slowly and steadily is received', async () => {
    const text = JSON.stringify(site.admin) + ' '.repeat(30_000);
    const { answers, sockets } = begin(1, 1, `POST /@login HTTP/1.1\r\nContent-Length: ${text.length}`, '');
    for (let at = 0; at < text.length; at += 1000) {
      sockets[0]?.write(text.slice(at, at + 1000));
      await sleep(100);
    }
    await expect.poll(() => answers[0], POLL).toMatch(/^HTTP\/1\.1 200 /);
  });
});
