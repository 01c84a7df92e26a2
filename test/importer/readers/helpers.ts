import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openExport } from '@canopy-server/plone-export';
import { type ExportedItem, type ExportSource, makeItem } from '@canopy-server/site-reader';
import { onTestFinished } from 'vitest';
import { createReport } from '../../../src/features/import/import-report.ts';
import { LINK_FORMS } from '../../../src/features/import/import-site.ts';

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/imports/${name}`, import.meta.url));

/** Writes an export into a new folder that is removed after the test; texts as they are, all else as JSON. */
export async function writeExport(files: Record<string, unknown>): Promise<string> {
  const { directory, drop } = await keepExport(files);
  onTestFinished(drop);
  return directory;
}

/** Writes an export into a new folder, which `drop` removes. */
export async function keepExport(files: Record<string, unknown>) {
  const root = await mkdtemp(path.join(tmpdir(), 'canopy-import-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { directory: root, drop: () => rm(root, { recursive: true, force: true }) };
}

/** Opens an export, with what cannot be read of it. */
export async function open(directory: string, siteRoot?: string) {
  const report = createReport();
  const source: ExportSource = await openExport(directory, { problems: report, links: LINK_FORMS, siteRoot });
  return { ...source, problems: report.problems };
}

export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

export const page = (address: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  '@id': address,
  '@type': 'Document',
  UID: `uid of ${address}`,
  ...more,
});

export const site = (address: string): Record<string, unknown> => page(address, { '@type': 'Plone Site', parent: {} });

export const sample = (more: Partial<ExportedItem>): ExportedItem =>
  makeItem({ uid: 'u', path: '/x', type: 'Thing', fields: {}, ...more });
