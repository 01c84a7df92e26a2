/** Everything but the characters that XML 1.0 allows (its production 2), lone surrogates included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text for the inside of an XML element or attribute: special characters as entities, characters that
 * XML 1.0 cannot hold dropped, so that the document is well-formed whatever the text is.
 */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
