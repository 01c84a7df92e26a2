import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Json } from '../support/site.ts';

/** A folder of add-ons that tests write. */
export type AddonFolder = {
  folder: string;
  /** Replaces the folder of an add-on by `files`, by their paths in it. Texts are written as they are. */
  write(id: string, files: Record<string, Json>, version?: string): Promise<void>;
  remove(id: string): Promise<void>;
};

export async function addonFolder(): Promise<AddonFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-addons-'));
  const remove = (id: string) => rm(join(folder, id), { recursive: true, force: true });
  return {
    folder,
    remove,
    async write(id, files, version = '1') {
      await remove(id);
      const metadata = { id, title: `Add-on ${id}`, description: 'For tests.', version };
      for (const [path, data] of Object.entries({ 'metadata.json': metadata, ...files })) {
        const place = join(folder, id, path);
        await mkdir(dirname(place), { recursive: true });
        await writeFile(place, typeof data === 'string' ? data : JSON.stringify(data));
      }
    },
  };
}

/** A type as add-ons describe it. */
export const typeFile = (id: string, more: Json = {}): Json => ({
  id,
  title: id,
  behaviors: ['basic', 'short_name', 'plone.namefromtitle'],
  global_allow: true,
  filter_content_types: true,
  allowed_content_types: [],
  workflow: 'simple_publication_workflow',
  layouts: ['view'],
  ...more,
});

/** A workflow with one state. */
export const workflowFile = (id: string, more: Json = {}): Json => ({
  id,
  title: id,
  initial_state: 'known',
  states: {
    known: { title: 'Known', transitions: [], permissions: { View: { roles: ['Anonymous'], acquire: true } } },
  },
  transitions: {},
  ...more,
});
