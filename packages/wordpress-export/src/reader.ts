import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { defineReader, ExportError } from '@canopy-server/site-reader';
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

/** The reader of exports of WordPress (WXR). */
export const wordpressReader = defineReader({
  name: 'wordpress',
  title: 'an export of WordPress',
  looksFor: 'a file .xml that begins as an export of WordPress (WXR)',
  recognises: async (place) => isWxr(place),
  async open(place, options) {
    if (!statSync(place, { throwIfNoEntry: false })?.isFile())
      throw new ExportError(`${place} is no file. Name the .xml that WordPress has exported.`);
    return openWordpress(place, options);
  },
});
