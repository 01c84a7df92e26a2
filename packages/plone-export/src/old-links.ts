import path from 'node:path';
import { decodedAddress, type LinkForms } from '@canopy-server/site-reader';
import type { SiteAddress } from './site-address.ts';

/** The context of HTML with links. */
type LinkPlace = {
  /** The path of the object with the HTML. */
  path: string;
  isFolderish: boolean;
  site: SiteAddress;
  links: LinkForms;
  /** True if the export has content at a path. */
  has(path: string): boolean;
  /** Called with each relative link that has no target in the export. */
  onLost(link: string): void;
};

/** Levels below content that an address can have: `at_download/file`, `@@images/image/mini`. */
const MAX_VIEW_DEPTH = 3;

/**
 * The end of an address, after the address of content, with this server's names: views of classic sites for pictures (`image_mini`) and files
 * (`at_download/file`) have other names (collective.exportimport, fix_html).
 */
function presentView(view: string): string {
  const [name = '', field = 'file'] = view.split('/').filter((part) => part !== '');
  const scale = /^(image|leadImage|preview_image)(?:_([A-Za-z0-9]{1,40}))?$/.exec(name);
  if (scale) {
    const [, first, size] = scale;
    const stored = first === 'leadImage' ? 'image' : first;
    return `/@@images/${stored}${size === undefined ? '' : `/${size}`}`;
  }
  if (name === 'view') return '';
  if (name === 'at_download' || name === 'download') return `/@@download/${field}`;
  return view;
}

/** Splits a link before its query or fragment. */
function splitSuffix(link: string): [address: string, suffix: string] {
  const end = link.search(/[?#]/);
  return end === -1 ? [link, ''] : [link.slice(0, end), link.slice(end)];
}

/** True if the text after an address of content is a view of the content and not the name of content in it. */
const isView = (view: string): boolean => /^\/(?:@@|\+\+)/.test(view) || presentView(view) !== view;

/** The content and the view in an address; null when the address has no target in the export. */
function findContent(address: string, has: LinkPlace['has']): { content: string; view: string } | null {
  const parts = address.split('/');
  for (let cut = 0; cut <= MAX_VIEW_DEPTH && parts.length - cut > 1; cut += 1) {
    const content = parts.slice(0, parts.length - cut).join('/');
    const view = cut === 0 ? '' : `/${parts.slice(-cut).join('/')}`;
    if (has(decodedAddress(content)) && (view === '' || isView(view))) return { content, view };
  }
  return null;
}

/**
 * HTML whose links do not depend on its place: relative links and links into the old site become paths, and views get their names on this server. The
 * targets of paths are checked when the HTML is stored.
 */
export function withPlainLinks(html: string, place: LinkPlace): string {
  return place.links.replaceInHtml(html, (link) => plainLink(link.trim(), place));
}

function plainLink(link: string, place: LinkPlace): string {
  if (link === '' || link.startsWith('#') || link.startsWith('//')) return link;
  const reference = place.links.parseReference(link);
  if (reference) return place.links.referenceTo(reference.uid, presentSuffix(reference.suffix));
  const inSite = place.site.link(link);
  if (/^[a-z][a-z0-9+.-]*:/i.test(inSite)) return inSite;
  return inSite.startsWith('/') ? presentPath(inSite, place) : relativePath(inSite, place);
}

function presentSuffix(suffix: string): string {
  const [view, rest] = splitSuffix(suffix);
  return view === '' || view.startsWith('/@@') ? suffix : `${presentView(view)}${rest}`;
}

function presentPath(link: string, { has }: LinkPlace): string {
  const [address, suffix] = splitSuffix(link);
  const found = findContent(address, has);
  return found && found.view !== '' ? `${found.content}${presentView(found.view)}${suffix}` : link;
}

function relativePath(link: string, { path: own, isFolderish, has, onLost }: LinkPlace): string {
  const [address, suffix] = splitSuffix(link);
  // A link with only a query leads to the object itself.
  if (address === '') return `${own}${suffix}`;
  const container = path.posix.dirname(own);
  // Browsers resolve links against the container of a page; folders and, since Plone 6, pages are their own base.
  const candidates = (isFolderish ? [own, container] : [container, own]).map((base) => path.posix.join(base, address));
  for (const candidate of candidates) {
    const clean = candidate.length > 1 && candidate.endsWith('/') ? candidate.slice(0, -1) : candidate;
    const found = findContent(clean, has);
    if (found) return `${found.content}${presentView(found.view)}${suffix}`;
  }
  onLost(link);
  return `${candidates[0]}${suffix}`;
}
