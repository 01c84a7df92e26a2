import type { ImportItem } from './import-source.ts';
import { kindOfField } from './readers/field-kind.ts';

/**
 * Chooses of many objects of one type so many that every field is among them with every kind of value that it has:
 * as many as there are such pairs at most, whatever the number of objects.
 */
export function samplePicker(): { samples: ImportItem[]; offer(item: ImportItem): void } {
  const seen = new Set<string>();
  const samples: ImportItem[] = [];
  return {
    samples,
    offer(item) {
      const marks = [...marksOf(item)].filter((mark) => !seen.has(mark));
      if (marks.length === 0) return;
      for (const mark of marks) seen.add(mark);
      samples.push(item);
    },
  };
}

function* marksOf(item: ImportItem): Generator<string> {
  yield `folderish ${item.isFolderish}`;
  yield `state ${item.reviewState !== null}`;
  yield `layout ${item.layout}`;
  for (const name of item.given) yield `field ${name}`;
  for (const { field } of item.files) yield `field ${field} ${kindOfField(field, [item])}`;
  for (const [name, value] of Object.entries(item.fields)) {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    yield `field ${name} ${isEmpty ? JSON.stringify(value) : kindOfField(name, [item])}`;
  }
}
