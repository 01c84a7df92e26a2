import { unzipSync } from 'fflate';
import { type MarkupRules, markupWords } from '../../../lib/text/html-words.ts';
import { MAX_TEXT_LENGTH } from './formats.ts';

/** Maximum bytes of all unpacked parts of a compressed file together. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;

/** The formats that are XML in a zip file: the parts with texts, and the meaning of elements. */
const OFFICE = {
  docx: {
    parts: /^word\/(?:document|footnotes|endnotes|header\d*|footer\d*)\.xml$/,
    parting: ['w:p', 'w:tab', 'w:br', 'w:cr', 'w:tc', 'w:sdt'],
    hidden: ['w:instrtext', 'w:deltext', 'w:delinstrtext', 'mc:fallback'],
  },
  xlsx: {
    parts: /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/,
    parting: ['si', 'is', 'row', 'c'],
    // Numbers and formulas are not words. The readings of Japanese characters are left out, too.
    hidden: ['v', 'f', 'rph'],
  },
  pptx: {
    parts: /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/,
    parting: ['a:p', 'a:br', 'a:tc'],
    hidden: ['mc:fallback'],
  },
  opendocument: {
    parts: /^content\.xml$/,
    parting: ['text:p', 'text:h', 'text:tab', 'text:s', 'text:line-break', 'table:table-cell', 'text:list-item'],
    hidden: ['text:tracked-changes', 'office:binary-data'],
  },
} as const;

export type OfficeFormat = keyof typeof OFFICE;

/** Says if a name stands for a format of XML in a zip file. */
export const isOffice = (format: string): format is OfficeFormat => Object.hasOwn(OFFICE, format);

const numbers = new Intl.Collator('en', { numeric: true });

/**
 * The text of a document of an office program. A part is unpacked to at most the number of bytes that the file declares, and all parts together to at
 * most the limit. Throws for a file of another format, and for a file that is too large.
 */
export function officeText(bytes: Uint8Array, format: OfficeFormat): string {
  const { parts: wanted, parting, hidden } = OFFICE[format];
  let left = MAX_UNPACKED_BYTES;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!wanted.test(name)) return false;
      left -= originalSize;
      if (left < 0) throw new Error('It is too large when it is unpacked.');
      return true;
    },
  });
  const names = Object.keys(parts).sort(numbers.compare);
  if (names.length === 0) throw new Error('It has no text where such files have it.');
  const apart = new Set<string>(parting);
  const unread = new Set<string>(hidden);
  const rules: MarkupRules = { isInline: (name) => !apart.has(name), isHidden: (name) => unread.has(name) };
  const texts: string[] = [];
  let length = 0;
  for (const name of names) {
    if (length >= MAX_TEXT_LENGTH) break;
    const text = markupWords(new TextDecoder().decode(parts[name]), rules);
    length += text.length;
    texts.push(text);
  }
  return texts.join(' ');
}
