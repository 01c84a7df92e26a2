import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCanopy } from '../support/run-canopy.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';

/** Two running sites, and a folder for what commands write. */
export type TwoSites = {
  dev: TestSite;
  live: TestSite;
  folder: string;
  /** Writes a token of the first Manager of a site into a file, and returns its name. */
  tokenOf(site: TestSite): Promise<string>;
  close(): Promise<void>;
};

/** Starts two sites without content. */
export async function startTwoSites(): Promise<TwoSites> {
  const [dev, live] = [await startTestSite(), await startTestSite()];
  const folder = mkdtempSync(join(tmpdir(), 'canopy-promote-'));
  return {
    dev,
    live,
    folder,
    async tokenOf(site) {
      const { body } = await site.request('POST', '/@login', { as: 'anonymous', json: site.admin });
      const file = join(folder, `${new URL(site.url).port}.token`);
      writeFileSync(file, `${body.token}\n`);
      return file;
    },
    async close() {
      await dev.close();
      await live.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command, and returns its exit code and the document that it prints. */
export async function canopy(...args: string[]): Promise<{ code: number; data: Json; err: string }> {
  const { code, out, err } = await runCanopy([...args, '--json'], {});
  return { code, data: out === '' ? undefined : JSON.parse(out), err };
}

/** All files in a folder with their texts. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'latin1')]),
  );

/** Sends a request that must pass, and returns its body. */
export async function send(site: TestSite, method: string, path: string, json?: unknown): Promise<Json> {
  const { status, body, text } = await site.request(method, path, json === undefined ? {} : { json });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return body;
}
