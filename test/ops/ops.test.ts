import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from '../../src/core/configuration/environment/setting-names.ts';
import { environmentOf, listOf, parseDockerfile, valuesOf } from './dockerfile.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Names of the environment that are those of Node.js or of the system. */
const OTHER_NAMES = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'TMPDIR'];
const isKnown = (name: string): boolean => [...SETTING_NAMES, ...OTHER_NAMES].includes(name);

describe('the Dockerfile', () => {
  const [build, image] = parseDockerfile(join(ROOT, 'Dockerfile'));
  if (!build || !image) throw new Error('The Dockerfile has two stages');

  it('copies only what is there, and what the ignore file lets through', () => {
    const allowed = text('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const { value, flags } of [...valuesOf(build, 'COPY'), ...valuesOf(image, 'COPY')]) {
      const sources = value.split(' ').slice(0, -1);
      for (const source of sources.filter(() => flags.from === undefined)) {
        expect(existsSync(join(ROOT, source)), source).toBe(true);
        expect(allowed, source).toContain(source);
      }
    }
  });

  it('takes into the image what the build stage has', () => {
    const made = new Set(['package.json', 'node_modules', 'dist']);
    for (const { value } of valuesOf(build, 'COPY'))
      for (const source of value.split(' ').slice(0, -1)) made.add(source);
    for (const { value } of valuesOf(image, 'COPY').filter(({ flags }) => flags.from === build.name)) {
      const [source = ''] = value.split(' ');
      expect(made).toContain(source.replace('/build/', '').replace(/^dist\/.*/, 'dist'));
    }
  });

  it('copies every folder that the program loads when it runs', () => {
    const copied = valuesOf(image, 'COPY').map(({ value }) => value.split(' ').at(-1));
    const { files }: { files: string[] } = JSON.parse(text('package.json'));
    const atRuntime = files.filter((name) => !/^(?:!|docs|scripts)|\.d\.ts$/.test(name));
    for (const name of [...atRuntime, 'node_modules']) expect(copied, name).toContain(name);
  });

  it('runs scripts of the package, and commands without a shell', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(text('package.json'));
    for (const stage of [build, image])
      for (const { value } of valuesOf(stage, 'RUN')) {
        const [program, command, script = ''] = listOf(value);
        if (program === 'npm' && command === 'run') expect(Object.keys(scripts)).toContain(script);
      }
    expect(listOf(valuesOf(image, 'ENTRYPOINT')[0]?.value ?? '')).toEqual([
      'node',
      '--v8-pool-size=1',
      'dist/bin/canopy.js',
    ]);
    expect(listOf(valuesOf(image, 'CMD')[0]?.value ?? '')).toEqual(['start']);
  });

  it('is not root, and has existing settings', () => {
    const user = valuesOf(image, 'USER')[0]?.value;
    expect(user).toMatch(/^[1-9]\d*:0$/);
    for (const name of Object.keys(environmentOf(image))) expect(isKnown(name), name).toBe(true);
  });

  it('has no npm', () => {
    const removed = valuesOf(image, 'RUN').flatMap(({ value }) => listOf(value));
    expect(removed).toContain('/usr/local/lib/node_modules');
    expect(removed).toContain('/usr/local/bin/npm');
  });
});

type Service = {
  image?: string;
  build?: string;
  environment?: Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  read_only?: boolean;
};
type Compose = { services: Record<string, Service>; volumes?: Record<string, unknown> };

/** Keys that the specification of compose has for a service, as far as they are used here. */
const SERVICE_KEYS = [
  ...['build', 'cap_drop', 'depends_on', 'environment', 'healthcheck', 'image', 'ports', 'read_only', 'restart'],
  ...['security_opt', 'stop_grace_period', 'volumes'],
];

describe.each(['ops/compose.yaml', 'ops/compose.embedded.yaml'])('%s', (path) => {
  const compose: Compose = parse(text(path), { merge: true });
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { image }]) => image === 'canopy');

  it('names existing settings, volumes, files and services', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const [name, service] of services) {
      expect(
        Object.keys(service).filter((key) => !SERVICE_KEYS.includes(key)),
        name,
      ).toEqual([]);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(join(ROOT, 'ops', source)), source).toBe(true);
        else expect(Object.keys(compose.volumes ?? {}), name).toContain(source);
      }
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        const needed = compose.services[other];
        expect(needed, other).toBeDefined();
        expect(condition).toBe('service_healthy');
        expect(needed?.healthcheck !== undefined || needed?.image === 'canopy', other).toBe(true);
      }
    }
    for (const [, { environment = {} }] of ours)
      for (const name of Object.keys(environment)) expect(isKnown(name), name).toBe(true);
  });

  it('Canopy cannot write to its root, and only this machine reaches what is published', () => {
    for (const [, service] of ours) expect(service.read_only).toBe(true);
    for (const [, { ports = [] }] of services) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('no password is in the file', () => {
    for (const line of text(path)
      .split('\n')
      .filter((one) => /PASSWORD|SECRET|TOKEN/.test(one) && !one.startsWith('#')))
      expect(line).toMatch(/\$\{\w+:\?[^}]+\}/);
  });
});

type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: manifests have any form; the test asks for what it reads
  spec?: any;
};

describe('the manifests for Kubernetes', () => {
  const documents = parseAllDocuments(text('ops/kubernetes/canopy.yaml'));
  const manifests = documents.map((document): Manifest => document.toJS());
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  it('are whole, each of an existing kind and version', () => {
    const kinds: Record<string, string> = {
      ...{ ConfigMap: 'v1', Service: 'v1', Deployment: 'apps/v1', PodDisruptionBudget: 'policy/v1' },
      Ingress: 'networking.k8s.io/v1',
    };
    for (const document of documents) expect(document.errors).toEqual([]);
    for (const { kind, apiVersion, metadata } of manifests) {
      expect(kinds[kind]).toBe(apiVersion);
      expect(metadata.name).toMatch(/^[a-z-]+$/);
    }
  });

  it('name existing settings, labels and ports', () => {
    for (const name of ofKind('ConfigMap').flatMap(({ data = {} }) => Object.keys(data)))
      expect(isKnown(name), name).toBe(true);
    const [deployment] = ofKind('Deployment');
    const { labels } = deployment?.spec.template.metadata ?? {};
    const [container] = deployment?.spec.template.spec.containers ?? [];
    const ports: { name: string }[] = container.ports;
    const names = ports.map(({ name }) => name);
    for (const { spec } of [...ofKind('Service'), ...ofKind('PodDisruptionBudget'), ...ofKind('Deployment')])
      expect(labels).toMatchObject(spec.selector.matchLabels ?? spec.selector);
    for (const { spec } of ofKind('Service'))
      for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(names).toContain((container[probe].httpGet ?? container[probe].tcpSocket).port);
    const volumes: { name: string }[] = deployment?.spec.template.spec.volumes;
    for (const { name } of container.volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
  });

  it('the health that takes a process out of service does not kill it', () => {
    const [container] = ofKind('Deployment')[0]?.spec.template.spec.containers ?? [];
    expect(container.readinessProbe.httpGet.path).toBe('/@health');
    expect(container.livenessProbe.httpGet).toBeUndefined();
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });
});

describe('the unit for systemd', () => {
  it('starts the command of the image, and has existing settings', () => {
    const unit = text('ops/canopy.service');
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node --v8-pool-size=1 dist\/bin\/canopy\.js start$/m);
    for (const [, name = ''] of unit.matchAll(/^Environment=(\w+)=/gm)) expect(isKnown(name), name).toBe(true);
  });
});
