import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { defineReader, ExportError } from '@canopy-server/site-reader';
import { openNick } from './source.ts';

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** Says if a folder has the documents of a profile. */
function hasDocuments(folder: string): boolean {
  const documents = path.join(folder, 'documents');
  return isFolder(documents) && readdirSync(documents).some((name) => name.endsWith('.json'));
}

/** Says if a place has a profile with content, is a folder of such profiles, or holds objects that Nick has exported. */
function recognises(place: string): boolean {
  if (!isFolder(place)) return false;
  if (hasDocuments(place) || statSync(path.join(place, '_root.json'), { throwIfNoEntry: false })?.isFile()) return true;
  return readdirSync(place, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && hasDocuments(path.join(place, entry.name)),
  );
}

/** The reader of profiles and exports of Nick. */
export const nickReader = defineReader({
  name: 'nick',
  title: 'a site of Nick',
  looksFor: 'a folder documents with files .json, in it or in a profile in it, or the file _root.json',
  options: {
    profiles: {
      description:
        'The names of the profiles in the folder that make the site, in their order, with commas between them.',
    },
  },
  recognises: async (place) => recognises(place),
  async open(place, options) {
    if (!isFolder(place)) throw new ExportError(`${place} is no folder. Name the folder of a profile of Nick.`);
    return openNick(place, options);
  },
});
