import type { ExportedItem, ExportedPart } from '@canopy-server/site-reader';
import { contentStates } from '#core';
import { exportedColumns } from '../content-rows.ts';
import type { ImportReport } from '../import-report.ts';
import { type ParsedItem, parseLoaded } from '../item-values.ts';
import { loadItem } from '../load-item.ts';
import type { PlannedObject } from '../planned-object.ts';
import type { ReadyItem } from '../write-batch.ts';
import type { AgainRun } from './again-job.ts';
import type { ImportedState } from './imported-state.ts';

/** A report that is passed on when it is known that something of it is new. */
type HeldReport = ImportReport & { release(): void };

/** Holds the problems of one object: those of an object that is as at the last import have been reported by that. */
function heldReport(report: ImportReport): HeldReport {
  const held: (() => void)[] = [];
  return {
    ...report,
    add: (problem) => held.push(() => report.add(problem)),
    note: (problem) => held.push(() => report.note(problem)),
    release: () => {
      for (const pass of held.splice(0)) pass();
    },
  };
}

/** An object of the newer export with its report. */
export type LoadedAgain = { planned: PlannedObject; item: ExportedItem; parsed: ParsedItem; report: HeldReport };

/** Loads and parses an object, with the texts of the last import where the export has none. Undefined if it cannot be imported. */
export async function loadAgain(
  run: AgainRun,
  planned: PlannedObject,
  exported: ExportedItem,
  base: ImportedState | undefined,
): Promise<LoadedAgain | undefined> {
  const report = heldReport(run.report);
  const state = base?.settings.review_state;
  const item = { ...exported, reviewState: exported.reviewState ?? (typeof state === 'string' ? state : null) };
  const loaded = await loadItem({ ...run, report }, planned, item);
  if (!loaded) {
    report.release();
    return undefined;
  }
  const title = base?.values.title;
  const name = typeof title === 'string' && loaded.name === '' ? title : loaded.name;
  return { planned, item: loaded.item, parsed: parseLoaded(run, { ...loaded, name }), report };
}

/** Settings that exports keep beside their objects. */
const BESIDE: readonly (readonly [ExportedPart, (name: string) => boolean])[] = [
  ['localRoles', (name) => name.startsWith('role:') || name === 'inherit_roles'],
  ['localPermissions', (name) => name.startsWith('permission:')],
  ['defaultPages', (name) => name === 'default_page'],
  ['constrains', (name) => name === 'constrains'],
  ['translations', (name) => name === 'translation_group'],
];

/** Columns among the values: exports that do not have them mean that they are empty. */
const COLUMNS = new Set(['effective', 'expires', 'language']);

/**
 * Returns the state of an object in the newer export. Values that it does not have, cannot be read, or whose file is not in it, are those
 * of the last import, and so are the settings of parts that it does not have at all.
 */
export function stateThere(
  run: AgainRun,
  ready: ReadyItem,
  { base, parts }: { base: ImportedState | undefined; parts: ReadonlySet<ExportedPart> },
): ImportedState {
  const inherited = {
    owner: typeof base?.settings.owner === 'string' ? base.settings.owner : 'admin',
    language: typeof base?.values.language === 'string' ? base.values.language : null,
  };
  const state = contentStates.of(exportedColumns(run, ready, inherited).columns);
  if (!base) return state;
  const given = givenNames(run, ready, parts);
  const values = { ...state.values };
  for (const name of new Set([...Object.keys(values), ...Object.keys(base.values)])) {
    if (given.has(name)) continue;
    if (Object.hasOwn(base.values, name)) values[name] = base.values[name];
    else delete values[name];
  }
  const settings = { ...state.settings };
  for (const [part, belongs] of BESIDE) {
    if (parts.has(part)) continue;
    for (const name of Object.keys(settings)) if (belongs(name)) delete settings[name];
    for (const [name, value] of Object.entries(base.settings)) if (belongs(name)) settings[name] = value;
  }
  if (run.missingEnds.get(ready.loaded.planned.exported.uid)?.has('translation_group'))
    settings.translation_group = base.settings.translation_group ?? null;
  return { ...state, values, settings };
}

/** The names of values that the export has and that could be read. */
function givenNames(run: AgainRun, { loaded, problems }: ReadyItem, parts: ReadonlySet<ExportedPart>): Set<string> {
  const { item, files, planned, type } = loaded;
  const given = new Set([
    ...COLUMNS,
    ...Object.keys(item.fields),
    ...item.files.flatMap(({ field }) => (files.has(field) ? [field] : [])),
    ...(item.creators.length > 0 ? ['creators'] : []),
    ...(run.relations.get(planned.exported.uid) ?? []).map(({ relation }) => relation),
    // An object without relations is not among them.
    ...(parts.has('relations')
      ? type.fields.flatMap((field) => (run.kernel.fieldKinds.of(field).relates ? [field.name] : []))
      : []),
    ...(run.textAsBlocks ? ['blocks', 'blocks_layout'] : []),
  ]);
  for (const name of run.missingEnds.get(planned.exported.uid) ?? []) given.delete(name);
  for (const { reason, key } of problems) if (reason === 'value') given.delete(key);
  return given;
}
