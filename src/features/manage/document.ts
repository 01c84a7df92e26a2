/** The document of the page: it has no content of the site, which the page itself asks the API for. */

import type { BuiltPage } from './built-files.ts';

/**
 * Everything that the page may load or do: its own files, and requests to the site. Inline code and styles are not allowed; scripts set
 * single styles, which no policy stops. Pictures that a form is about to send have addresses with `blob:`.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Makes the document. `prefix` is the path of the site root in addresses of this request, without a slash at its end. */
export function documentOf(page: BuiltPage, prefix: string): Buffer {
  const url = (name: string): string => escaped(`${prefix}/@manage/assets/${name}`);
  return Buffer.from(
    [
      '<!doctype html>',
      '<html lang="en">',
      '<head>',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      '<meta name="robots" content="noindex">',
      '<title>Canopy</title>',
      '<link rel="icon" href="data:,">',
      ...page.styles.map((name) => `<link rel="stylesheet" href="${url(name)}">`),
      ...page.preloads.map((name) => `<link rel="modulepreload" href="${url(name)}">`),
      `<script type="module" src="${url(page.script)}"></script>`,
      '</head>',
      '<body>',
      '<div id="manage"></div>',
      '<noscript><p>This page needs JavaScript.</p></noscript>',
      '</body>',
      '</html>',
      '',
    ].join('\n'),
  );
}
