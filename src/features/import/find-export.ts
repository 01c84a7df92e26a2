import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteReader } from '@canopy-server/site-reader';
import { BadRequest } from '#lib/errors';
import { type OwnExport, openOwnExport } from '../site-export/restore/own-export.ts';
import type { ReaderContext } from './choose-reader.ts';

/** An export at a place: one that this server has made, or one of another system with its reader. */
export type FoundExport = { own: OwnExport } | { place: string; reader: SiteReader };

/** Names that archives have beside the folder of an export: those of macOS, and hidden files. */
const BESIDE = /^(?:__MACOSX$|\.)/;

/** The folder that an archive has at its top instead of files; undefined when there is another thing. */
async function onlyFolder(place: string): Promise<string | undefined> {
  const entries = (await readdir(place, { withFileTypes: true })).filter(({ name }) => !BESIDE.test(name));
  const [first] = entries;
  return entries.length === 1 && first?.isDirectory() ? join(place, first.name) : undefined;
}

async function findAt(place: string, named: string | undefined, context: ReaderContext): Promise<FoundExport> {
  const own = named === undefined ? await openOwnExport(place) : undefined;
  if (own) return { own };
  const { chooseReader } = await import('./choose-reader.ts');
  return { place, reader: await chooseReader(place, named, context) };
}

/**
 * Finds the export at a place: by the reader that is named, else by the one that recognises it. In an archive, `isUnpacked`, it may be in a folder at
 * the top. Throws BadRequest, and ExportRefused for an export of this server that is not whole.
 */
export async function findExport(
  place: string,
  { named, isUnpacked }: { named: string | undefined; isUnpacked: boolean },
  context: ReaderContext,
): Promise<FoundExport> {
  const within = isUnpacked ? await onlyFolder(place) : undefined;
  if (within !== undefined && named !== undefined) return findAt(within, named, context);
  try {
    return await findAt(place, named, context);
  } catch (error) {
    if (within === undefined || !(error instanceof BadRequest)) throw error;
    return findAt(within, named, context);
  }
}
