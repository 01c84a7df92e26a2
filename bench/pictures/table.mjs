import { NAMES, PEERS } from '../day/names.mjs';
import { tableLines, toldRun } from '../doc-table.mjs';
import { median } from '../load.mjs';
import { SCENARIOS } from './run.mjs';

const GOAL_MS = 1000;

const number = (value) => Math.round(value).toLocaleString('en');

function cellsOf(name, { title }, rounds) {
  const ms = (figure) => number(median(rounds.map((round) => round[figure])));
  const counts = new Set(rounds.map(({ pictures }) => pictures));
  const goal = PEERS.includes(name) ? '' : number(GOAL_MS);
  return [
    `${NAMES[name]}: ${[...counts].join(' or ')} ${title}`,
    ...[ms('upload'), ms('cold'), goal, ms('processor'), ms('stored'), ms('longest')],
  ];
}

/** The table of docs/speed.md. `systems`: what `measurePictures` returns. */
export function picturesTable({ systems, rounds, ...run }) {
  const rows = systems.flatMap(({ name, results }) =>
    SCENARIOS.map((scenario) => cellsOf(name, scenario, results[scenario.key])),
  );
  const memory = systems.map(({ name, memory: { before, after } }) => `${NAMES[name]} ${before} and ${after} MB`);
  return [
    ...tableLines(['upload of one', 'cold', 'goal', 'processor', 'stored', 'a page meanwhile, at most'], rows),
    '',
    `Milliseconds, medians of ${rounds} rounds, photos of 12 megapixels (JPEG). Memory before and after: ${memory.join(', ')}. ${toldRun(run)}`,
  ].join('\n');
}
