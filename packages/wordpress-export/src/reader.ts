import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { defineReader, ExportError } from '@canopy-server/site-reader';
import { restRoot } from './rest-lists.ts';
import { OPTIONS } from './settings.ts';
import { openWordpress } from './source.ts';

/** Bytes of a file that show what it is. */
const HEAD_BYTES = 4096;

/** Says if a file begins as an export of WordPress. */
function isWxr(place: string): boolean {
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(place, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const text = head.toString('utf8', 0, readSync(file, head, 0, HEAD_BYTES, 0));
    return text.includes('<rss') && /wordpress\.org\/export\/1\./.test(text);
  } finally {
    closeSync(file);
  }
}

/** Says if a place is an address. */
const isAddress = (place: string): boolean => /^https?:\/\//i.test(place) && URL.canParse(place);

/** Says if an address is that of REST of WordPress, by its text. */
const isRest = (place: string): boolean => {
  const url = new URL(place);
  return /\/wp-json(?:\/|$)/.test(url.pathname) || url.searchParams.has('rest_route');
};

/** The reader of sites of WordPress: of their exports (WXR), and by REST. */
export const wordpressReader = defineReader({
  name: 'wordpress',
  title: 'an export of WordPress',
  looksFor: 'a file .xml that begins as an export of WordPress (WXR), or an address that ends with /wp-json',
  options: OPTIONS,
  takesAddresses: true,
  recognises: async (place) => (isAddress(place) ? isRest(place) : isWxr(place)),
  async open(place, options) {
    if (isAddress(place)) return openWordpress(restRoot(place), options);
    if (!statSync(place, { throwIfNoEntry: false })?.isFile())
      throw new ExportError(`${place} is no file and no address. Name the .xml that WordPress has exported.`);
    return openWordpress(place, options);
  },
});
