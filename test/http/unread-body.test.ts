import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { describeQuickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { sendRaw } from './raw.ts';

const MEBIBYTE = 1024 * 1024;

describeQuickestEngine('a body that is not read to its end', (engine) => {
  const site = useTestSite(engine);
  const head = (line: string, ...headers: string[]) =>
    [line, `Host: ${new URL(site.url).host}`, 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

  it.each([
    ['too large', 413, 'POST /@login', 2 * MEBIBYTE],
    ['for nothing that is there', 404, 'POST /no/such/page', 1000],
    ['for a method that is not there', 405, 'PUT /@search', 1000],
    ['without a right', 401, 'POST /', 1000],
  ])('a request %s is refused before its body comes, and closes its connection', async (_, status, line, length) => {
    const answer = await sendRaw(site.url, head(`${line} HTTP/1.1`, `Content-Length: ${length}`));
    expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
    expect(JSON.parse(answer.text).message).toEqual(expect.any(String));
  });

  it('a client that sends all of a body that is too large reads the response, and the connection ends', async () => {
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    const over = new Promise<string>((resolve, reject) => {
      socket.on('end', () => resolve('ended'));
      socket.on('error', reject);
    });
    socket.write(head('POST /@login HTTP/1.1', `Content-Length: ${8 * MEBIBYTE}`));
    socket.write(' '.repeat(8 * MEBIBYTE));
    expect(await over).toBe('ended');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('a connection whose body was read, though it was refused, is used again', async () => {
    const body = '{"login":"nobody","password":"wrong"}';
    const answer = await sendRaw(site.url, head('POST /@login HTTP/1.1', `Content-Length: ${body.length}`) + body);
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
  });

  it('too many values are refused while they come', async () => {
    const values = `{"login":[${'1,'.repeat(20_000)}`;
    const answer = await sendRaw(site.url, head('POST /@login HTTP/1.1', `Content-Length: ${MEBIBYTE}`) + values);
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      413,
      'The body is larger than the limit of 10000 values.',
    ]);
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('a page is stored with many values, and not with more than its readers can walk', async () => {
    const page = (values: number) => ({
      '@type': 'Page',
      title: 'Values',
      blocks: { a: { '@type': 'x', v: Array.from({ length: values }, () => ({})) } },
    });
    expect((await site.request('POST', '/', { json: page(200_000) })).status).toBe(201);
    const refused = await site.request('POST', '/', { json: page(260_000) });
    expect([refused.status, refused.body.message]).toEqual([
      413,
      'The body is larger than the limit of 250000 values.',
    ]);
  });
});
