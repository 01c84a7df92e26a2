import { type FencedBlock, fencedBlocks } from './fenced-blocks.ts';

/** Commands of a document with the flags of their block, and the output that it shows for them, if any. */
export type Example = { line: number; commands: string; flags: readonly string[]; answer: FencedBlock | undefined };

/** Languages of the blocks that show output: JSON, the output of `curl -i`, and any other text. */
const ANSWERS = ['json', 'http', 'text'];

const isLeftOut = ({ flags }: FencedBlock): boolean => flags.includes('no-test');

/**
 * The examples of a document. A block of `sh` is run; the next block, if that is `json`, `http` or `text`, is its
 * output. Every other fenced block must be marked `no-test`; throws for a block that would silently not be tested.
 */
export function examplesIn(markdown: string): Example[] {
  const examples: Example[] = [];
  let previous: Example | undefined;
  for (const block of fencedBlocks(markdown)) {
    const { line, language, flags, text } = block;
    if (isLeftOut(block)) {
      previous = undefined;
    } else if (language === 'sh') {
      previous = { line, commands: text, flags, answer: undefined };
      examples.push(previous);
    } else if (previous && !previous.answer && ANSWERS.includes(language)) {
      previous.answer = block;
    } else {
      throw new Error(`The block of line ${line} (${language}) is neither commands nor their answer, nor no-test`);
    }
  }
  return examples;
}
