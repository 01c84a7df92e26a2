import type { JsonObject } from '../../lib/json-object.ts';
import { KINDS } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { PieceReport } from './merge-pieces.ts';
import type { ProfileMerge } from './merge-profile.ts';

/** Maximum number of characters of one value in a report. */
const MAX_VALUE_LENGTH = 200;

/** Says if the key of a change names a secret setting, whose value is never shown. */
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

type Line = { text: string; does: 'keep' | 'remove' | 'change' };

/** A line for each change of a piece of configuration, and for each value of the site that stays. */
function linesOf(kernel: Pick<Kernel, 'panels'>, piece: PieceReport): Line[] {
  const { file, whole, changes, conflicts } = piece;
  const place = (key: string) => (key === '' ? file : `${file}, ${key}`);
  const value = (key: string, what: unknown) => (isSecret(kernel, piece, key) ? '(not shown)' : shown(what));
  const [first] = changes;
  const changed: Line[] =
    whole !== undefined && first
      ? [
          whole === 'added'
            ? { text: `Added ${place(first.key)}.`, does: 'change' }
            : { text: `Removed ${place(first.key)}.`, does: 'remove' },
        ]
      : changes.map((change): Line => {
          const { key } = change;
          if (!('from' in change)) return { text: `Added ${place(key)}: ${value(key, change.to)}.`, does: 'change' };
          if (!('to' in change)) return { text: `Removed ${place(key)}: ${value(key, change.from)}.`, does: 'remove' };
          const text = `Changed ${place(key)}: ${value(key, change.from)} becomes ${value(key, change.to)}.`;
          return { text, does: 'change' };
        });
  const kept = conflicts.map(({ key, site, wanted, reason }): Line => {
    const values = `the site has ${value(key, site)}, the profile wants ${value(key, wanted)}`;
    // A piece in use is shown only by its name, because its whole value does not help a reader.
    const why = reason === undefined ? values : wanted === undefined ? reason : `${values} (${reason})`;
    return { text: `Kept ${place(key)}: ${why}.`, does: 'keep' };
  });
  return [...changed, ...kept];
}

/**
 * A line for each change of these pieces, and for each value of the site that stays although the profile has another one. Lines about hidden values
 * of content come first, then removals, then values that stay, then the other changes.
 */
export function reportLines(
  kernel: Pick<Kernel, 'panels'>,
  { pieces, losses }: Pick<ProfileMerge, 'pieces' | 'losses'>,
): string[] {
  const lines = pieces.flatMap((piece) => linesOf(kernel, piece));
  const those = (does: Line['does']) => lines.filter((line) => line.does === does).map(({ text }) => text);
  return [...losses, ...those('remove'), ...those('keep'), ...those('change')];
}

/** The report for programs, with whole values, except values of secret settings. */
export function reportJson(
  kernel: Pick<Kernel, 'panels'>,
  { pieces, losses }: Pick<ProfileMerge, 'pieces' | 'losses'>,
): JsonObject {
  const hide = (piece: PieceReport) => (entry: { key: string }) =>
    isSecret(kernel, piece, entry.key) ? { key: entry.key } : entry;
  return {
    losses,
    pieces: pieces.map((piece) => ({
      ...piece,
      changes: piece.changes.map(hide(piece)),
      conflicts: piece.conflicts.map(hide(piece)),
    })),
  };
}
