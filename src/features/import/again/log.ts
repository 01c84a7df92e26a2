import type { ImportReport } from '../import-report.ts';

/** The rules for what was changed here and in the export: the site's counts, the export's counts, or nothing is imported. */
export const CONFLICT_RULES = ['keep', 'take', 'stop'] as const;

export type ConflictRule = (typeof CONFLICT_RULES)[number];

export const isConflictRule = (text: string): text is ConflictRule => CONFLICT_RULES.some((rule) => rule === text);

/** An effect of an import on an object that an earlier one brought, or that is new in the export. */
export type ImportedChange = {
  change: 'added' | 'changed' | 'moved' | 'removed' | 'reordered';
  path: string;
  /** Names of fields and settings that change. */
  parts: string[];
  /** The former path of what moves. */
  from?: string;
};

/** A part that was changed on this site and in the export since the last import. */
export type ImportConflict = {
  path: string;
  uid: string;
  /** A field, a setting, `place` for where the object is, or `object` for the whole of it. */
  part: string;
  block?: string;
  here: unknown;
  there: unknown;
  /** The side that counts; null if nothing is imported. */
  counts: 'here' | 'there' | null;
};

/** The differences between two imports, for the summary. */
export type ImportDifferences = {
  rule: ConflictRule;
  counts: Record<ImportedChange['change'] | 'unchanged' | 'conflicts', number>;
  changes: ImportedChange[];
  conflicts: ImportConflict[];
};

/** Limit of changes and of conflicts in a summary; more are only counted. The file of a report has all conflicts. */
const MAX_LISTED = 10_000;

/** Limit of a value in a conflict, in characters of JSON. */
const MAX_SHOWN_LENGTH = 2000;

/** Limit of a value in a line for people. */
const MAX_LINE_VALUE = 120;

/** Collects what an import changes of earlier ones. */
export interface DifferenceLog {
  change(change: ImportedChange): void;
  unchanged(objects: number): void;
  /** Adds a conflict and returns the side that counts: `stop` counts as the site's until the import ends. */
  conflict(conflict: Omit<ImportConflict, 'counts'>): 'here' | 'there';
  differences(): ImportDifferences;
}

function shown(value: unknown): unknown {
  const json = JSON.stringify(value ?? null);
  return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH)}…` : (value ?? null);
}

/** Returns a value as people read it, on one line. */
export function valueLine(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return text.length > MAX_LINE_VALUE ? `${text.slice(0, MAX_LINE_VALUE)}…` : text;
}

export function createDifferenceLog(rule: ConflictRule, report: ImportReport): DifferenceLog {
  const differences: ImportDifferences = {
    rule,
    counts: { added: 0, changed: 0, moved: 0, removed: 0, reordered: 0, unchanged: 0, conflicts: 0 },
    changes: [],
    conflicts: [],
  };
  const side = rule === 'take' ? 'there' : 'here';
  return {
    change(change) {
      differences.counts[change.change] += 1;
      if (differences.changes.length < MAX_LISTED) differences.changes.push(change);
    },
    unchanged(objects) {
      differences.counts.unchanged += objects;
    },
    conflict({ here, there, ...conflict }) {
      differences.counts.conflicts += 1;
      if (differences.conflicts.length < MAX_LISTED) {
        const counts = rule === 'stop' ? null : side;
        differences.conflicts.push({ ...conflict, here: shown(here), there: shown(there), counts });
      }
      const place = conflict.block === undefined ? conflict.part : `${conflict.part}, block ${conflict.block}`;
      const outcome =
        rule === 'stop' ? 'Choose a side.' : `The side that counts: ${side === 'here' ? 'here' : 'the export'}.`;
      const message = `Changed here and in the export. Here: ${valueLine(here)}. In the export: ${valueLine(there)}. ${outcome}`;
      report.add({ reason: 'conflict', path: conflict.path, key: place, message });
      return side;
    },
    differences: () => differences,
  };
}
