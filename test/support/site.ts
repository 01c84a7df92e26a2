import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel } from '../../src/app/create-kernel.ts';
import { createServer } from '../../src/app/create-server.ts';
import { setUpSite } from '../../src/app/set-up-site.ts';
import type { Server } from '../../src/http/request-path.ts';
import { createLog } from '../../src/lib/process.ts';
import type { Feature } from '../../src/services/feature.ts';
import { parseConfig } from '../../src/site/config.ts';
import type { Kernel } from '../../src/site/kernel.ts';
import type { Database } from '../../src/storage/database.ts';
import { openBlobStore } from '../../src/storage/open.ts';
import { createTestDatabase, quickestEngine } from './database.ts';
import type { Engine } from './engines.ts';

export type Who = 'admin' | 'anonymous' | { login: string; password: string } | { token: string };

export type Exchange = { status: number; headers: Headers; text: string; bytes: Buffer; body: Json };
// biome-ignore lint/suspicious/noExplicitAny: bodies are JSON of any shape; tests assert on what they read
export type Json = any;

export type RequestOptions = { as?: Who; json?: unknown; body?: string | Uint8Array; headers?: Record<string, string> };

/** A running site of one test file, over the wire. */
export type TestSite = {
  url: string;
  kernel: Kernel;
  server: Server;
  admin: { login: string; password: string };
  request(method: string, path: string, options?: RequestOptions): Promise<Exchange>;
  close(): Promise<void>;
};

const ADMIN = { login: 'admin', password: 'admin' };

const authorization = (as: Who): Record<string, string> => {
  if (as === 'anonymous') return {};
  if (typeof as === 'object' && 'token' in as) return { Authorization: `Bearer ${as.token}` };
  const { login, password } = as === 'admin' ? ADMIN : as;
  return { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
};

/** A kernel on a fresh database with the site of a profile, without HTTP. `wrap` may put something around the database. */
export async function createTestKernel(
  engine: Engine,
  {
    profile = 'default',
    wrap = (db: Database) => db,
    environment = {},
    features = [],
  }: {
    profile?: string;
    wrap?: (db: Database) => Database;
    environment?: Record<string, string>;
    /** Features beside those of the program. */
    features?: readonly Feature[];
  } = {},
) {
  const test = await createTestDatabase(engine);
  const dataDir = await mkdtemp(join(tmpdir(), 'canopy-site-'));
  const settings = parseConfig({
    DATA_DIR: dataDir,
    PROFILE: profile,
    ADMIN_PASSWORD: ADMIN.password,
    ...environment,
  });
  const blobs = await openBlobStore({ dataDir });
  const kernel = createKernel({ config: settings, log: createLog('silent'), db: wrap(test.database), blobs, features });
  await setUpSite(kernel);
  return {
    kernel,
    dataDir,
    problems: test.problems,
    async close() {
      await test.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a site on a fresh database of the engine (the quickest of this run, unless given) and listens on a free port. */
export async function startTestSite(
  engine: Engine = quickestEngine(),
  options: Parameters<typeof createTestKernel>[1] = {},
): Promise<TestSite> {
  const { kernel, close } = await createTestKernel(engine, options);
  const { app, server, close: closeServer } = await createServer(kernel);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    kernel,
    server,
    admin: ADMIN,
    async request(method, path, { as = 'admin', json, body, headers = {} } = {}) {
      const response = await fetch(/^https?:/.test(path) ? path : url + path, {
        method,
        redirect: 'manual',
        headers: {
          Accept: 'application/json',
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...authorization(as),
          ...headers,
        },
        ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString('utf8');
      const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        text,
        bytes,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    async close() {
      await closeServer();
      await close();
    },
  };
}
