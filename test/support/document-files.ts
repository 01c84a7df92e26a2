import { strToU8, zipSync } from 'fflate';

const zip = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

/** A PDF of one page with a line of Latin text. */
export function pdfFile(line: string): Uint8Array {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}

/** A document of a word processor with paragraphs of runs. */
export const docxFile = (...paragraphs: string[][]): Uint8Array =>
  zip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${paragraphs
      .map(
        (runs) =>
          `<w:p><w:pPr/>${runs.map((run) => `<w:r><w:t xml:space="preserve">${run}</w:t></w:r>`).join('')}</w:p>`,
      )
      .join('')}<w:p><w:r><w:instrText>PAGEREF hiddenfield</w:instrText></w:r></w:p></w:body></w:document>`,
  });

/** A spreadsheet with cells of text and of numbers. */
export const xlsxFile = (...cells: string[]): Uint8Array =>
  zip({
    'xl/sharedStrings.xml': `<sst>${cells.map((cell) => `<si><t>${cell}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>98765</v></c><c t="inlineStr"><is><t>inlinecell</t></is></c></row></sheetData></worksheet>',
  });

/** Slides with one line each. */
export const pptxFile = (...slides: string[]): Uint8Array =>
  zip(
    Object.fromEntries(
      slides.map((line, at) => [
        `ppt/slides/slide${at + 1}.xml`,
        `<p:sld><p:txBody><a:p><a:r><a:t>${line}</a:t></a:r></a:p></p:txBody></p:sld>`,
      ]),
    ),
  );

/** A text document of OpenDocument. */
export const odtFile = (...paragraphs: string[]): Uint8Array =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${paragraphs
      .map((paragraph) => `<text:p>${paragraph}</text:p>`)
      .join('')}</office:text></office:body></office:document-content>`,
  });

/** A zip file whose only part is larger than its header says, or is very large. */
export const zipBomb = (bytes: number): Uint8Array =>
  zipSync({ 'word/document.xml': new Uint8Array(bytes) }, { level: 9 });
