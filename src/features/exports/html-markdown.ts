/** Converts HTML to Markdown with turndown, after removing the parts that turndown cannot handle. */

import TurndownService from 'turndown';
import { type MarkdownContext, markdown } from '#core';
import { BadRequest } from '#lib/errors';
import { sanitizeHtml } from '#lib/text/sanitize-html';
import { escapeInline, escapeLineStart } from './markdown-writer.ts';

type ResolveUrl = MarkdownContext['resolveUrl'];

/** Puts marks around inline Markdown, not around the space at its ends, where they would not count as marks. */
function emphasis(open: string, inline: string, close = open): string {
  const text = inline.trim();
  if (text === '') return inline;
  const before = inline.slice(0, inline.length - inline.trimStart().length);
  return `${before}${open}${text}${close}${inline.slice(inline.trimEnd().length)}`;
}

/** A link, or only its text if the address must not be linked. */
function link(inline: string, url: string): string {
  const target = markdown.destination(url);
  return target === undefined ? inline : emphasis('[', inline.replaceAll('\n', ' '), `](${target})`);
}

/** An image; empty if the address must not be linked. */
function image(alt: string, url: string): string {
  const target = markdown.destination(url);
  return target === undefined ? '' : `![${escapeInline(alt.replace(/\s+/g, ' ').trim())}](${target})`;
}

/** Runs of white space and line breaks cost turndown quadratic time; readers see no difference beyond a few of them. */
const WHITE_SPACE_RUN = /\s{20,}/g;
const BREAK_RUN = /(?:<br \/>\s?){5,}/g;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

type Element = { getAttribute: (name: string) => string | null };

function converter(resolveUrl: ResolveUrl): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  // turndown does not escape these, so that text about HTML would become HTML.
  const escapeText = service.escape.bind(service);
  service.escape = (text) => escapeText(text).replace(/<|&(?=[A-Za-z#])/g, '\\$&');
  const address = (node: Element, attribute: string): string => {
    const url = node.getAttribute(attribute) ?? '';
    return url === '' ? '' : (resolveUrl(url) ?? '');
  };
  service.remove(['iframe', 'audio', 'video']);
  service.addRule('link', {
    filter: 'a',
    replacement: (content: string, node: Element) => link(content, address(node, 'href')),
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_: string, node: Element) => image(node.getAttribute('alt') ?? '', address(node, 'src')),
  });
  service.addRule('deleted', { filter: ['del', 's'], replacement: (content) => emphasis('~~', content) });
  service.addRule('sub', { filter: 'sub', replacement: (content) => emphasis('<sub>', content, '</sub>') });
  service.addRule('sup', { filter: 'sup', replacement: (content) => emphasis('<sup>', content, '</sup>') });
  return service;
}

/**
 * Markdown of a fragment of HTML. Only safe HTML is kept; `resolveUrl` gives the targets of links and images. HTML that is nested too deeply to be
 * sanitized is reduced to its text.
 */
export function htmlMarkdown(html: string, resolveUrl: ResolveUrl): string {
  try {
    const short = sanitizeHtml(html)
      .replace(WHITE_SPACE_RUN, (run) => run.slice(0, 20))
      .replace(BREAK_RUN, '<br />'.repeat(4));
    return converter(resolveUrl).turndown(short).trim();
  } catch (error) {
    if (error instanceof BadRequest) return htmlText(html);
    throw error;
  }
}

/** The text of a fragment of HTML without its tags: for HTML that is too large to convert. */
export function htmlText(html: string): string {
  const text = html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
  return escapeInline(text)
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .filter((line) => line !== '')
    .join('\\\n');
}
