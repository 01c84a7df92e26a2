import {
  type ExportedWorkflowEntry,
  isEmptyValue,
  isJsonObject,
  type ProblemLog,
  parseDate,
  stringOf,
  stringOrNull,
} from '@canopy-server/site-reader';

const KNOWN_KEYS = new Set(['action', 'actor', 'comments', 'review_state', 'time']);

/**
 * Parses the histories of all workflows that an object went through, oldest entry first. Of entries at the same time, entries of the workflow that
 * gives the object its state come last.
 */
export function parseWorkflowHistory(
  value: unknown,
  reviewState: string | null,
  path: string,
  problems: ProblemLog,
): ExportedWorkflowEntry[] {
  if (!isJsonObject(value)) return [];
  const histories = Object.entries(value).map(([workflow, raw]) => parseEntries(workflow, raw, path, problems));
  const isPresent = (entries: ExportedWorkflowEntry[]) => entries.at(-1)?.review_state === reviewState;
  return [...histories.filter((entries) => !isPresent(entries)), ...histories.filter(isPresent)]
    .flat()
    .sort((a, b) => a.time.getTime() - b.time.getTime());
}

function parseEntries(workflow: string, raw: unknown, path: string, problems: ProblemLog): ExportedWorkflowEntry[] {
  const entries: ExportedWorkflowEntry[] = [];
  for (const value of Array.isArray(raw) ? raw : []) {
    const time = isJsonObject(value) ? parseDate(value.time) : null;
    const state = isJsonObject(value) ? stringOrNull(value.review_state) : null;
    if (!isJsonObject(value) || !time || !state) {
      problems.add({
        reason: 'value',
        path,
        key: 'workflow_history',
        message: `An entry in the history of ${workflow} has no time or no review_state.`,
      });
      continue;
    }
    for (const [key, variable] of Object.entries(value)) {
      if (KNOWN_KEYS.has(key) || isEmptyValue(variable)) continue;
      const message = `Histories of workflows have no ${key}, which is left out.`;
      problems.note({ reason: 'unsupported', path, key: 'workflow_history', message });
    }
    entries.push({
      workflow,
      action: stringOrNull(value.action),
      actor: stringOf(value.actor),
      comments: stringOf(value.comments),
      review_state: state,
      time,
    });
  }
  return entries;
}
