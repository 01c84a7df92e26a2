/** A fenced block of a Markdown document: `line` is that of its first fence, counted from 1. */
export type FencedBlock = { line: number; language: string; flags: string[]; text: string };

/** All fenced blocks of a document, in order. Throws for one without an end, which would swallow the rest. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: FencedBlock | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line === '```') {
      blocks.push(open);
      open = undefined;
    } else if (open) {
      open.text += `${line}\n`;
    } else if (line.startsWith('```')) {
      const [language = '', ...flags] = line.slice(3).split(' ').filter(Boolean);
      open = { line: index + 1, language, flags, text: '' };
    }
  }
  if (open) throw new Error(`The block of line ${open.line} has no end`);
  return blocks;
}
