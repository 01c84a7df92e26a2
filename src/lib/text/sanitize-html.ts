import type sanitize from 'sanitize-html';
import { BadRequest } from '../errors.ts';
import { lazyPackage } from '../process/lazy-package.ts';

const sanitizer = lazyPackage<typeof sanitize>('sanitize-html');

/**
 * Maximum number of open elements inside each other, because the parser searches all open elements at every closing tag, which takes quadratic time
 * for unclosed tags.
 */
const MAX_NESTING = 256;

/** Hosts of players that authors may embed, only over https. */
const EMBED_HOSTS = new Set(['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com']);

const TAGS = [
  ...[
    'address',
    'article',
    'aside',
    'footer',
    'header',
    'hgroup',
    'main',
    'nav',
    'section',
    'div',
    'p',
    'pre',
    'hr',
    'br',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'figure', 'figcaption', 'details', 'summary'],
  ...[
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'colgroup',
    'col',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
  ],
  ...[
    'a',
    'abbr',
    'acronym',
    'b',
    'bdi',
    'bdo',
    'big',
    'cite',
    'code',
    'data',
    'del',
    'dfn',
    'em',
    'i',
    'ins',
    'kbd',
    'mark',
  ],
  ...['q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
  ...['img', 'picture', 'source', 'audio', 'video', 'track', 'iframe'],
];

const ATTRIBUTES = {
  // Plone's editors store data-linktype, data-linktarget, data-val and data-scale with links and images.
  '*': [
    'id',
    'class',
    'title',
    'lang',
    'dir',
    'role',
    'aria-*',
    'style',
    'data-linktype',
    'data-linktarget',
    'data-val',
    'data-scale',
  ],
  a: ['href', 'name', 'target', 'rel', 'hreflang', 'type', 'download'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading'],
  source: ['src', 'srcset', 'sizes', 'type', 'media'],
  audio: ['src', 'controls', 'loop', 'preload'],
  video: ['src', 'poster', 'width', 'height', 'controls', 'loop', 'muted', 'preload'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  iframe: ['src', 'width', 'height', 'allowfullscreen', 'loading'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  time: ['datetime'],
  data: ['value'],
  details: ['open'],
  ol: ['start', 'type', 'reversed'],
  li: ['value'],
  table: ['border', 'cellpadding', 'cellspacing', 'summary', 'width'],
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  td: ['colspan', 'rowspan', 'headers', 'width', 'align', 'valign'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr', 'width', 'align', 'valign'],
};

const LENGTH = [/^-?\d{1,5}(?:\.\d{1,4})?(?:px|em|rem|%|pt)?$/, /^auto$/];
const COLOUR = [/^#[0-9a-f]{3,8}$/i, /^[a-z]{3,20}$/i, /^rgba?\([\d., %]{5,40}\)$/];
const STYLES = {
  'text-align': [/^(?:left|right|center|justify|start|end)$/],
  'vertical-align': [/^(?:baseline|top|middle|bottom|sub|super)$/],
  'text-decoration': [/^(?:none|underline|line-through)$/],
  'list-style-type': [/^[a-z-]{3,30}$/],
  float: [/^(?:left|right|none)$/],
  color: COLOUR,
  'background-color': COLOUR,
  width: LENGTH,
  height: LENGTH,
  'max-width': LENGTH,
  'margin-left': LENGTH,
  'margin-right': LENGTH,
  'padding-left': LENGTH,
};

function isEmbed(source: string | undefined): boolean {
  if (source === undefined || !URL.canParse(source)) return false;
  const { protocol, hostname } = new URL(source);
  return protocol === 'https:' && EMBED_HOSTS.has(hostname);
}

const POLICY: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: ATTRIBUTES,
  allowedStyles: { '*': STYLES },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'], iframe: ['https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title'],
  // A frame of another host is renamed to an element that is not allowed, so that it is removed completely.
  transformTags: { iframe: (_, attribs) => ({ tagName: isEmbed(attribs.src) ? 'iframe' : 'frame', attribs }) },
};

/** One pass. Throws BadRequest when elements are nested too deep. */
function cleanOnce(html: string): string {
  let open = 0;
  return sanitizer()(html, {
    ...POLICY,
    onOpenTag: () => {
      open += 1;
      if (open > MAX_NESTING) throw new BadRequest(`HTML elements are nested deeper than ${MAX_NESTING} levels.`);
    },
    onCloseTag: () => {
      open -= 1;
    },
  });
}

/**
 * Maximum number of characters of HTML in content, more than any book. Cleaning this much takes a second, finding its words and links a tenth of a
 * second.
 */
export const MAX_HTML_LENGTH = 1_000_000;

/** Makes safe HTML of an author's HTML, as `sanitizeHtml` does. */
export type SanitizeHtml = (html: string) => string;

/** Maximum number of passes. Two suffice except for malicious HTML. */
const MAX_PASSES = 8;

/**
 * The part of an author's HTML that is safe to show to others (plone.restapi: the `safe_html` transform): text, structure, tables, media, links over
 * http, https, mailto and tel, and frames of YouTube and Vimeo. Scripts, event handlers, forms and most styles are removed; other elements lose their
 * tags and keep their text. The result is well-formed, and cleaning it again changes nothing: a removal can change the meaning of the rest, so passes
 * are repeated until nothing changes. Throws BadRequest when elements are nested deeper than 256 levels, and for HTML that is longer than `maxLength`
 * characters.
 */
export function sanitizeHtml(html: string, maxLength = MAX_HTML_LENGTH): string {
  if (html.length > maxLength) throw new BadRequest(`HTML may have at most ${maxLength} characters here.`);
  let clean = cleanOnce(html);
  for (let pass = 2; pass <= MAX_PASSES; pass += 1) {
    const again = cleanOnce(clean);
    if (again === clean) return clean;
    clean = again;
  }
  throw new BadRequest('The HTML cannot be cleaned: its elements are not closed properly.');
}

/** Options that keep everything, in the form of cleaned HTML. */
const KEEP_ALL: sanitize.IOptions = {
  allowedTags: false,
  allowedAttributes: false,
  allowVulnerableTags: true,
  parseStyleAttributes: false,
};

/** HTML with styles without the space that cleaning removes, and with elements and attributes in one spelling. */
const plainForm = (html: string): string =>
  html.replace(/ style="([^"]*)"/g, (_, style: string) => ` style="${style.replace(/\s+|;(?=\s*$)/g, '')}"`);

/** As `sanitizeHtml`, for HTML of any length, in a process that serves no requests: cleaning takes more than a second for each million characters. */
export const sanitizeAnyHtml: SanitizeHtml = (html) => sanitizeHtml(html, Number.POSITIVE_INFINITY);

/**
 * Says if `sanitizeHtml` leaves HTML unchanged: the same text with the same elements, attributes and addresses, in any spelling. Throws BadRequest
 * like `sanitizeHtml`.
 */
export const isCleanHtml = (html: string): boolean =>
  plainForm(sanitizer()(html, KEEP_ALL)) === plainForm(sanitizeAnyHtml(html));
