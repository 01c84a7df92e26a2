import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { OutsideFailure, OutsideService } from '../../src/lib/http/outside-service.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A service that does something with each connection. Returns its address, and how many connections it has had. */
async function listening(serve: (socket: Socket) => void): Promise<{ url: string; asked: () => number }> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    sockets.add(socket);
    socket.on('error', () => {}).resume();
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/`, asked: () => asked };
}

const PATIENCE = { answerMs: 1000, silenceMs: 1000 };
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

it('a service that says nothing fails after the time it has, and is not asked again at once', async () => {
  const { url, asked } = await listening(() => {});
  const service = new OutsideService('The store');
  const failure = await failureOf(service.fetch(url, {}, PATIENCE));
  expect(failure).toMatchObject({ kind: 'silent', message: expect.stringMatching(/^The store said nothing/) });
  const next = await failureOf(service.fetch(url, {}, PATIENCE));
  expect(next).toMatchObject({ kind: 'resting', retryAfter: 2 });
  expect(asked()).toBe(1);
  expect(() => service.rejectWhileResting()).toThrow(OutsideFailure);
});

it('a body of which nothing more comes fails, and one that comes slowly does not', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n';
  const half = await listening((socket) => void socket.write(`${head}abc`));
  const service = new OutsideService('The store');
  const response = await service.fetch(half.url, {}, PATIENCE);
  expect(await failureOf(response.text())).toMatchObject({ name: 'OutsideFailure', kind: 'silent' });
  const slow = await listening((socket) => {
    socket.write(head);
    for (const [n, letter] of [...'abcdef'].entries()) setTimeout(() => socket.write(letter), 100 * (n + 1));
  });
  const other = new OutsideService('Another store');
  expect(await (await other.fetch(slow.url, {}, PATIENCE)).text()).toBe('abcdef');
});

it('a body that nobody reads for a while is not taken for a silent one', async () => {
  const { url } = await listening((socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc`));
  const response = await new OutsideService('The store').fetch(url, {}, PATIENCE);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await response.text()).toBe('abc');
});

it('a connection that is cut is a failure with its cause, before the response and in the middle of it', async () => {
  const cutting = await listening((socket) => void socket.once('data', () => socket.destroy()));
  const service = new OutsideService('The store');
  expect(await failureOf(service.fetch(cutting.url, {}, PATIENCE))).toMatchObject({
    kind: 'quick',
    message: expect.stringMatching(/^The store cannot be reached \(/),
  });
  const half = await listening((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc');
    setTimeout(() => socket.destroy(), 50);
  });
  const response = await service.fetch(half.url, {}, PATIENCE);
  expect(await failureOf(response.text())).toMatchObject({ name: 'OutsideFailure', kind: 'quick' });
});

it('a caller who gives up says nothing of the service', async () => {
  const { url } = await listening(() => {});
  const service = new OutsideService('The store');
  const caller = new AbortController();
  const asking = failureOf(service.fetch(url, { signal: caller.signal }, { answerMs: 5000, silenceMs: 5000 }));
  caller.abort(new Error('gone'));
  expect(await asking).toMatchObject({ message: 'gone' });
  expect([service.trouble, service.retryAfter]).toEqual([undefined, 0]);
});

/** The only files that connect to other systems, by what they call for that. */
const PLACES: Record<string, string[]> = {
  fetch: [
    'src/app/doctor/service-probes.ts',
    'src/app/test-client.ts',
    'src/features/promote/places/remote-site.ts',
    'src/features/types-file/command.ts',
    'src/lib/http/outside-service.ts',
  ],
  node: ['src/lib/http/outgoing-request.ts'],
  library: [
    'src/core/files/blobs/s3-objects.ts',
    'src/core/files/blobs/s3-store.ts',
    'src/core/queue/mail/send-mail.ts',
    'src/features/openid/provider.ts',
  ],
};
const CALLS: Record<string, RegExp> = {
  fetch: /(?<![.\w#])fetch\(/,
  node: /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/,
  library: /(?:from|import\() ?'(?:s3mini|openid-client|nodemailer)'/,
};

it('requests leave the process in a few places only, where each has its deadline', async () => {
  const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const found: Record<string, string[]> = { fetch: [], node: [], library: [] };
  for (const name of files) {
    const path = join('src', name);
    const code = (await readFile(path, 'utf8')).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$|^import type .*$/gm, '');
    for (const [kind, call] of Object.entries(CALLS)) if (call.test(code)) found[kind]?.push(path);
  }
  expect(found).toEqual(PLACES);
});
