import { posix } from 'node:path';

/** The address of the repository: files outside of docs/ are read there. */
export const REPOSITORY = 'https://github.com/canopy-server/canopy-server';

/** Returns the page that a file of docs/ becomes: `README.md` is the index of its folder. */
export const pageOf = (path: string): string => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** Returns the address of a file outside of docs/, by its path from docs/. */
export function sourceAddress(path: string): string {
  const [file = '', anchor] = posix.join('docs', path).split('#');
  const kind = posix.extname(file) === '' && posix.basename(file) !== 'LICENSE' ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${file}${anchor === undefined ? '' : `#${anchor}`}`;
}

/**
 * Returns a link of a page as the site has it: files outside of docs/ and pictures lead to the repository, `README.md` to an index. The
 * site has pictures only where a page shows them.
 */
export function siteLink(page: string, link: string): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(link)) return link;
  const target = posix.join(posix.dirname(page), link);
  const [file = '', anchor] = link.split('#');
  if (target.startsWith('../') || /\.(?:svg|png)$/.test(file)) return sourceAddress(target);
  return pageOf(file) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Returns the anchor of a heading as GitHub makes it, so that one link works in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
