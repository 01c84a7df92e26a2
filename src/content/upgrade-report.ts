import type { Kernel } from '../kernel/kernel.ts';
import { KINDS } from '../site/site.ts';
import type { PieceReport } from './merge-profile.ts';

/** Characters of one value in a report. */
const MAX_VALUE_LENGTH = 200;

/** Whether the key of a change is that of a setting whose value nobody is shown. */
function isSecret({ panels }: Pick<Kernel, 'panels'>, { kind, id }: PieceReport, key: string): boolean {
  if (kind !== KINDS.setting) return false;
  const settings = panels.get(id)?.settings ?? [];
  return settings.some(
    ({ name, secret }) => secret === true && (key === `${id}.${name}` || key.startsWith(`${id}.${name}.`)),
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/**
 * A line for each change of a piece of configuration, and for each value that stays as the site has it though the profile wants
 * another one.
 */
export function reportLines(kernel: Pick<Kernel, 'panels'>, piece: PieceReport): string[] {
  const { file, whole, changes, conflicts } = piece;
  const place = (key: string) => (key === '' ? file : `${file}, ${key}`);
  const value = (key: string, what: unknown) => (isSecret(kernel, piece, key) ? '(not shown)' : shown(what));
  const [first] = changes;
  const changed =
    whole !== undefined && first
      ? [`${whole === 'added' ? 'Added' : 'Removed'} ${place(first.key)}.`]
      : changes.map((change) => {
          const { key } = change;
          if (!('from' in change)) return `Added ${place(key)}: ${value(key, change.to)}.`;
          if (!('to' in change)) return `Removed ${place(key)}: ${value(key, change.from)}.`;
          return `Changed ${place(key)}: ${value(key, change.from)} becomes ${value(key, change.to)}.`;
        });
  const kept = conflicts.map(({ key, site, wanted, reason }) => {
    const values = `the site has ${value(key, site)}, the profile wants ${value(key, wanted)}`;
    // A piece that is in use is shown by its name: its whole value tells nobody anything.
    if (reason !== undefined) return `Kept ${place(key)}: ${wanted === undefined ? reason : `${values} (${reason})`}.`;
    return `Kept ${place(key)}: ${values}.`;
  });
  return [...changed, ...kept];
}
