import { PIXEL } from './folder.ts';

/** Folders of the documentation. */
export const PARTS = 20;
const TEXTS_OF_A_PART = 25;

/** A documentation of 500 texts in 20 parts, each with a picture and links to its neighbours. */
export function documentation(): Record<string, string | Buffer> {
  const files: Record<string, string | Buffer> = {};
  for (let part = 0; part < PARTS; part += 1) {
    const folder = `part-${part}`;
    files[`${folder}/dot.png`] = PIXEL;
    for (let text = 0; text < TEXTS_OF_A_PART; text += 1) {
      const name = text === 0 ? 'index' : `text-${text}`;
      const next = text === TEXTS_OF_A_PART - 1 ? `../part-${(part + 1) % PARTS}/` : `text-${text + 1}.md`;
      files[`${folder}/${name}.md`] = [
        `---\ntitle: Text ${text} of part ${part}\nweight: ${text + 1}\ntags: [part${part}]\naliases: [/old/${part}/${text}]\n---`,
        `About **this** with [the next](${next}) and ![a dot](dot.png).`,
        '## More\n\n- one\n- two\n  - inner\n\n> quoted',
        '| a | b |\n|---|---|\n| c | d |',
        '```sh\nls\n```',
        ...Array.from({ length: 8 }, (_, index) => `Paragraph ${index}. ${'Words of a text go on. '.repeat(12)}`),
      ].join('\n\n');
    }
  }
  return files;
}
