import path from 'node:path';
import { decodedAddress } from '@canopy-server/site-reader';
import type { Entries, Entry } from './entries.ts';

/** Folders whose files the old site served at its root. */
const SERVED_AT_ROOT = ['', 'static/', 'public/', 'docs/', 'content/'];

/** The object that a name of a file or a folder stands for. */
function entryNamed({ byName }: Entries, name: string): Entry | undefined {
  const plain = name.replace(/\/+$/, '');
  const found = byName.get(plain === '.' ? '' : plain);
  if (found) return found;
  return (
    byName.get(plain.replace(/\.html?$/i, '')) ??
    byName.get(plain.replace(/(?:^|\/)(?:index|README)(?:\.html?)?$/i, ''))
  );
}

/** Finds the object that a link leads to; undefined for one that leads to nothing in the source. */
function target(
  address: string,
  { folder, name }: Pick<Entry, 'folder' | 'name'>,
  entries: Entries,
): Entry | undefined {
  if (address.startsWith('/')) {
    const at = path.posix.normalize(address).slice(1);
    for (const base of SERVED_AT_ROOT) {
      const found = entryNamed(entries, `${base}${at}`);
      if (found) return found;
    }
    return entries.byPath.get(`/${at.replace(/\/+$/, '')}`);
  }
  // Generators serve a page as a folder, so that links may begin one level deeper.
  const stem = name.replace(/\.\w+$/, '');
  for (const base of [folder, stem]) {
    const joined = path.posix.join(base, address);
    if (joined.startsWith('..')) continue;
    const found = entryNamed(entries, joined);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns a link as it is stored: the path of the object that it leads to, else as it is written. `onLost` gets links that lead to
 * nothing in the source.
 */
export function resolveLink(
  link: string,
  {
    entry,
    entries,
    onLost,
  }: { entry: Pick<Entry, 'folder' | 'name'>; entries: Entries; onLost: (link: string) => void },
): string {
  const url = link.trim();
  if (url === '' || url.startsWith('#') || url.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  const end = url.search(/[?#]/);
  const [address, suffix] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  const found = address === '' ? undefined : target(decodedAddress(address), entry, entries);
  if (!found) {
    if (address !== '') onLost(url);
    return url;
  }
  return `${encodeURI(found.path)}${suffix}`;
}
