import { isJsonObject } from '../../../lib/json-object.ts';
import type { ImportItem, ImportWorkflowEntry } from '../import-source.ts';
import { stringOrNull, textOf } from './json-values.ts';
import type { ProblemLog } from './problem-log.ts';
import { readDate } from './read-date.ts';

/**
 * The history of the workflow that gives an object its state. An object that went through several workflows
 * has a history of each: the one that ends in `reviewState` counts, else the one named last.
 */
export function readWorkflowHistory(
  value: unknown,
  reviewState: string | null,
  path: string,
  problems: ProblemLog,
): ImportItem['workflowHistory'] {
  if (!isJsonObject(value)) return null;
  const histories = Object.entries(value).map(([workflow, raw]) => ({
    workflow,
    entries: readEntries(workflow, raw, path, problems),
  }));
  const told = histories.filter(({ entries }) => entries.length > 0);
  return told.find(({ entries }) => entries.at(-1)?.review_state === reviewState) ?? told.at(-1) ?? null;
}

function readEntries(workflow: string, raw: unknown, path: string, problems: ProblemLog): ImportWorkflowEntry[] {
  const entries: ImportWorkflowEntry[] = [];
  for (const value of Array.isArray(raw) ? raw : []) {
    const time = isJsonObject(value) ? readDate(value.time) : null;
    const state = isJsonObject(value) ? stringOrNull(value.review_state) : null;
    if (!isJsonObject(value) || !time || !state) {
      problems.add({ path, message: `An entry in the history of ${workflow} has no time or no review_state.` });
      continue;
    }
    entries.push({
      action: stringOrNull(value.action),
      actor: textOf(value.actor),
      comments: textOf(value.comments),
      review_state: state,
      time,
    });
  }
  return entries;
}
