import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../scripts/lib/root.mjs';

/** Writes a table of a page of docs anew: what stands between `<!-- name -->` and `<!-- end of name -->`. */
export async function writeTable(name, table, page = 'docs/speed.md') {
  const file = join(ROOT, page);
  const text = await readFile(file, 'utf8');
  const begin = `<!-- ${name} -->`;
  const [before, after] = [text.indexOf(begin), text.indexOf(`<!-- end of ${name} -->`)];
  if (before === -1 || after === -1) throw new Error(`${page} has no place for the table ${name}`);
  await writeFile(file, `${text.slice(0, before)}${begin}\n\n${table}\n\n${text.slice(after)}`);
}

const row = (columns) => `| ${columns.join(' | ')} |`;

/** The lines of a table whose first column has names and whose others have figures. `heads` are those of the figures. */
export const tableLines = (heads, rows) => [
  row(['', ...heads]),
  row(['---', ...heads.map(() => '--:')]),
  ...rows.map(row),
];

/** When and on what machine something was measured, as a text. */
export const toldRun = ({ date, machine }) =>
  `${date.slice(0, 10)}, Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), load ${machine.load.toFixed(1)} at the end.`;
