import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { get, headerOf, OutsideError, type OutsideSettings } from './outside.ts';

/** Bounds of what is downloaded: bytes of one file and of all, their number, and milliseconds for one. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const MAX_TOTAL_BYTES = 50 * 1024 * 1024 * 1024;
const MAX_FILES = 200_000;
const MAX_FILE_MS = 10 * 60 * 1000;

/** A file that was downloaded, or the reason why it was not. */
type Downloaded = { path: string; size: number } | { reason: string };

/** Downloads the files of an old site, each once. */
export type Downloads = { load(url: string, contentType: string): Promise<Downloaded> };

/** The problem with the kind of a response; undefined for one that can be the file. */
function kindProblem(found: string, expected: string): string | undefined {
  const type = found.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/octet-stream' || type === expected) return undefined;
  const isPage = type === 'text/html' || type === 'application/xhtml+xml';
  if (isPage || (expected.startsWith('image/') && !type.startsWith('image/')))
    return `it is ${type.slice(0, 60)}, not ${expected}`;
  return undefined;
}

/** Downloads files into a folder, with bounds of size, number and time, and never from a private network unless the settings allow that. */
export function createDownloads(settings: OutsideSettings, folder: string): Downloads {
  const known = new Map<string, Promise<Downloaded>>();
  let bytes = 0;

  async function download(address: string, expected: string, number: number): Promise<Downloaded> {
    if (!URL.canParse(address)) return { reason: 'its address is no valid one' };
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol)) return { reason: 'its address does not begin with http:// or https://' };
    if (number >= MAX_FILES) return { reason: `more than ${MAX_FILES} files would be downloaded` };
    const path = join(folder, `file-${number}`);
    const began = Date.now();
    let size = 0;
    try {
      const response = await get(settings, url);
      const close = (reason: string): never => {
        response.close();
        throw new OutsideError(reason, false);
      };
      if (response.status !== 200) close(`the old server answers ${response.status}`);
      const problem = kindProblem(headerOf(response, 'content-type'), expected);
      if (problem !== undefined) close(problem);
      if (Number(headerOf(response, 'content-length')) > MAX_FILE_BYTES) close(tooLarge());
      const target = await open(path, 'w', 0o600);
      try {
        for await (const chunk of response.body) {
          size += chunk.length;
          if (size > MAX_FILE_BYTES) close(tooLarge());
          if (bytes + size > MAX_TOTAL_BYTES) close('all files together are too large: put them beside the export');
          if (Date.now() - began > MAX_FILE_MS) close(`it takes more than ${MAX_FILE_MS / 60_000} minutes`);
          await target.writeFile(chunk);
        }
      } finally {
        await target.close();
      }
      const announced = headerOf(response, 'content-length');
      if (announced !== '' && Number(announced) !== size) close(`only ${size} of ${announced} bytes came`);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      await rm(path, { force: true });
      return { reason: error.message };
    }
    bytes += size;
    return { path, size };
  }

  return {
    load(url, contentType) {
      const before = known.get(url);
      if (before) return before;
      const loading = download(url, contentType, known.size);
      known.set(url, loading);
      return loading;
    },
  };
}

const tooLarge = (): string => `it has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
