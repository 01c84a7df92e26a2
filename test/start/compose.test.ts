import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { SETTING_NAMES } from '../../src/core/configuration/environment/setting-names.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'examples/volto');

type Service = {
  image: string;
  working_dir: string;
  command: string;
  environment: Record<string, string>;
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const compose: Compose = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { strict: true });
const packageAt = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const { canopy, volto } = compose.services;

/** The folder of the repository behind a path in the containers. */
const onDisk = (path: string): string => {
  expect(path.startsWith('/canopy')).toBe(true);
  return join(ROOT, path.slice('/canopy'.length));
};

describe('compose.yaml of the example with Volto', () => {
  it('compose.yaml has two services, and no key that Compose does not know', () => {
    expect(Object.keys(compose)).toEqual(['services', 'volumes']);
    expect(Object.keys(compose.services)).toEqual(['canopy', 'volto']);
    const keys = ['command', 'depends_on', 'environment', 'healthcheck', 'image', 'ports', 'volumes', 'working_dir'];
    for (const service of Object.values(compose.services))
      for (const key of Object.keys(service)) expect(keys).toContain(key);
  });

  it('compose.yaml mounts only existing folders and volumes', () => {
    for (const { volumes } of Object.values(compose.services))
      for (const volume of volumes) {
        const [source = '', target] = volume.split(':');
        expect(target).toMatch(/^\//);
        if (source.startsWith('.')) expect(join(FOLDER, source)).toBe(ROOT);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
  });

  it('compose.yaml runs scripts that the packages have, with a supported version of Node', () => {
    for (const { image, working_dir: folder, command } of Object.values(compose.services)) {
      const { scripts, engines } = packageAt(onDisk(folder));
      const [, major] = /^node:(\d+)-bookworm$/.exec(image) ?? [];
      expect(engines.node).toMatch(new RegExp(`\\^${major}|>=\\s*\\d`));
      expect(Number(major)).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)));
      expect(command).toBe('sh -c "npm ci && npm start"');
      expect(scripts.start).toEqual(expect.any(String));
      expect(existsSync(join(onDisk(folder), 'package-lock.json'))).toBe(true);
    }
  });

  it('compose.yaml gives Canopy only valid settings', () => {
    const names: readonly string[] = SETTING_NAMES;
    for (const name of Object.keys(canopy?.environment ?? {})) expect(names).toContain(name);
    const { host, port, profile, trustProxy, dataDir } = parseConfig({ ...canopy?.environment });
    expect({ host, port, profile, trustProxy }).toEqual({
      host: '0.0.0.0',
      port: 8080,
      profile: 'plone',
      trustProxy: ['uniquelocal'],
    });
    expect(canopy?.volumes).toContain(`data:${dataDir}`);
  });

  it('compose.yaml gives Volto the address of Canopy and its other settings', () => {
    const start = readFileSync(join(FOLDER, 'start.mjs'), 'utf8');
    for (const name of Object.keys(volto?.environment ?? {})) expect(start).toContain(name);
    expect(volto?.environment.API_URL).toBe(`http://canopy:${canopy?.environment.PORT}`);
    expect(volto?.ports).toEqual([`3000:${volto?.environment.PORT}`]);
    expect(volto?.depends_on).toEqual({ canopy: { condition: 'service_healthy' } });
  });

  it('the health check of compose.yaml succeeds only while Canopy runs', async () => {
    const [how, node, option, program = ''] = canopy?.healthcheck?.test ?? [];
    expect([how, node, option]).toEqual(['CMD', 'node', '-e']);
    expect(program).toContain(`http://127.0.0.1:${canopy?.environment.PORT}/@site`);
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ask = () =>
      promisify(execFile)(process.execPath, ['-e', program.replace(':8080', `:${port}`)]).then(
        () => true,
        () => false,
      );
    try {
      expect(await ask()).toBe(true);
      status = 503;
      expect(await ask()).toBe(false);
    } finally {
      server.close();
    }
    expect(await ask()).toBe(false);
  });
});
