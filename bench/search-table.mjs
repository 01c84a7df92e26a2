import { tableLines, toldRun } from './doc-table.mjs';

/** Milliseconds with two significant digits at least. */
const milliseconds = (time) => time.toFixed(time < 10 ? 1 : 0);

/** The figures of one caller on all sites, and how much longer a request takes on the largest one than on the smallest. */
const cells = (figures) => [...figures.map(milliseconds), (figures.at(-1) / figures[0]).toFixed(2)];

/** The columns of the figures of one result, as texts: for each caller the sites and the ratio, and the goal. */
export const searchCells = ({ figures, goal }) => [...Object.values(figures).flatMap(cells), goal ?? ''];

/** The names of these columns. */
export function searchHeads({ figures }, sizes) {
  const documents = sizes.map((size) => size.toLocaleString('en'));
  return [
    ...Object.keys(figures).flatMap((caller) => [`${caller}: ${documents[0]}`, ...documents.slice(1), 'times']),
    'goal',
  ];
}

/** The table of searches in docs/speed.md. */
export function searchTable({ sizes, requests, results, renames, ...run }) {
  const heads = searchHeads(results[0], sizes);
  const renamed = renames
    .map(({ below, milliseconds: time }) => `${below.toLocaleString('en')} in ${time} ms`)
    .join(', ');
  return [
    ...tableLines(
      heads,
      results.map((result) => [result.name, ...searchCells(result)]),
    ),
    '',
    `Milliseconds, medians of ${requests} requests, one at a time. ${toldRun(run)} Rename of a folder, documents below it: ${renamed}.`,
  ].join('\n');
}
