import { isEmptyValue } from '@canopy-server/site-reader';
import { type ContentType, references } from '#core';
import { isJsonObject } from '#lib/json-object';
import { replaceHtmlLinks } from '#lib/text/html-links';
import { sanitizeAnyHtml } from '#lib/text/sanitize-html';

/** Ids of the blocks that are made: they need to differ within one object only. */
const [TITLE, TEXT] = ['imported-title', 'imported-text'];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The HTML of a text; undefined for another value and an empty text. */
function htmlOf(value: unknown): string | undefined {
  const text = isJsonObject(value) ? value.data : value;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  if (isJsonObject(value) && value['content-type'] !== 'text/plain') return text;
  const plain = text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
  return plain
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

/** The path of an object by its UID in the export. */
export type PathOf = (uid: string) => string | undefined;

/** HTML with paths in place of links by UID, which blocks of HTML cannot have. */
const withPaths = (html: string, pathOf: PathOf): string =>
  replaceHtmlLinks(html, (link) => {
    const reference = references.parse(link);
    const path = reference && pathOf(reference.uid);
    return reference && path !== undefined ? `${encodeURI(path)}${reference.suffix}` : link;
  });

/** True if the type shows blocks and has a text that they would hide. */
const hasBoth = ({ fieldByName }: ContentType): boolean =>
  ['text', 'blocks', 'blocks_layout'].every((name) => fieldByName.has(name));

/**
 * Blocks that show the text of classic content, which Volto shows nowhere where there are blocks: the title and one block of
 * HTML, in which nothing of the text is lost. Undefined for content that has blocks or no text.
 */
export function textBlocks(
  type: ContentType,
  fields: Record<string, unknown>,
  pathOf: PathOf,
): { blocks: Record<string, unknown>; blocks_layout: { items: string[] } } | undefined {
  const html = hasBoth(type) && isEmptyValue(fields.blocks) ? htmlOf(fields.text) : undefined;
  if (html === undefined) return undefined;
  return {
    blocks: {
      [TITLE]: { '@type': 'title' },
      [TEXT]: { '@type': 'html', html: withPaths(sanitizeAnyHtml(html), pathOf) },
    },
    blocks_layout: { items: [TITLE, TEXT] },
  };
}
