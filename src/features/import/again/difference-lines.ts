import { type ImportConflict, type ImportDifferences, type ImportedChange, valueLine } from './log.ts';

/** Limit of changes, and of conflicts, that people are shown. */
const MAX_SHOWN = 200;

/** The marks of changes, as in a diff. */
const MARKS: Record<ImportedChange['change'], string> = {
  added: '+',
  changed: '~',
  moved: '>',
  removed: '-',
  reordered: '=',
};

// Paths and values quote the export, which must not move the cursor of a terminal.
const clean = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

function changeLine({ change, path, parts, from }: ImportedChange): string {
  const what = change === 'reordered' ? 'order' : parts.join(', ');
  const place = from === undefined ? path : `${from} → ${path}`;
  return clean(`    ${MARKS[change]} ${place}${what === '' ? '' : `: ${what}`}`);
}

function conflictLines({ path, part, block, here, there, counts }: ImportConflict): string[] {
  const mark = (side: ImportConflict['counts']) => (counts === side ? ' (counts)' : '');
  const place = block === undefined ? part : `${part}, block ${block}`;
  return [
    `    ! ${path}: ${place}`,
    `        here:   ${valueLine(here)}${mark('here')}`,
    `        export: ${valueLine(there)}${mark('there')}`,
  ].map(clean);
}

/** Shows the first of a list, and the number of the others. */
function shown<T>(list: readonly T[], total: number, linesOf: (entry: T) => string[]): string[] {
  const lines = list.slice(0, MAX_SHOWN).flatMap(linesOf);
  const more = total - Math.min(list.length, MAX_SHOWN);
  return more > 0 ? [...lines, `    … and ${more} more: --json and --report=<file> have them.`] : lines;
}

/** Returns what an import of a newer export changes, for people: the numbers, each change, and each conflict with both sides. */
export function differenceLines({ counts, changes, conflicts }: ImportDifferences): string[] {
  const { added, changed, moved, removed, reordered, unchanged } = counts;
  const total = added + changed + moved + removed + reordered;
  const numbers = `${added} added, ${changed} changed, ${moved} moved, ${removed} removed, ${reordered} reordered, ${unchanged} as before`;
  if (total + counts.conflicts === 0)
    return [`  since the last import: nothing is different, ${unchanged} objects as before`];
  return [
    `  since the last import: ${numbers}`,
    ...shown(changes, total, (change) => [changeLine(change)]),
    ...(counts.conflicts === 0
      ? []
      : [`  conflicts: ${counts.conflicts}`, ...shown(conflicts, counts.conflicts, conflictLines)]),
  ];
}
