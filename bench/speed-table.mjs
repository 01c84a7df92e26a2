import { tableLines, toldRun } from './doc-table.mjs';

/** The ratio of the requests a second to those of the bare server, with two significant digits. */
export function ratioText({ perSecond }, bare) {
  const ratio = perSecond / bare.perSecond;
  return ratio.toFixed(ratio < 0.095 ? (ratio < 0.0095 ? 4 : 3) : 2);
}

const NAMES = { pglite: 'embedded', postgresql: 'PostgreSQL' };

/** Figures of one engine: requests a second, the ratio to the bare server, and the ratio to reach. */
function cells({ figures, targets }, engine) {
  const { [engine]: measured, bare } = figures;
  return [`${Math.round(measured.perSecond).toLocaleString('en')}`, ratioText(measured, bare), targets?.[engine] ?? ''];
}

/** Figures of processes beside those to reach: milliseconds of a start, with a new site and with what it is at the end, and megabytes. */
const PROCESS_GOALS = { restartMs: 2000, memoryMB: { pglite: 350, postgresql: 250 }, peakMB: { pglite: 600 } };

/** The processes of one run: their starts and their memory. */
export function processTable(processes) {
  const columns = [
    ['first start', 'startMs', 'ms'],
    ['start of the site at the end', 'restartMs', 'ms'],
    ['memory at the end', 'memoryMB', 'MB'],
    ['at most', 'peakMB', 'MB'],
  ];
  const goalOf = (key, name) => {
    const goal = PROCESS_GOALS[key];
    return typeof goal === 'object' ? goal[name] : goal;
  };
  const cell = (figures, key, unit) => {
    if (figures[key] === undefined) return '';
    const goal = goalOf(key, figures.name);
    return `${figures[key].toLocaleString('en')} ${unit}${goal === undefined ? '' : ` (${goal.toLocaleString('en')})`}`;
  };
  return [
    ...tableLines(
      columns.map(([title]) => title),
      processes.map((figures) => [NAMES[figures.name], ...columns.map(([, key, unit]) => cell(figures, key, unit))]),
    ),
    '',
    'In brackets the figure to stay below.',
  ].join('\n');
}

/** The table of docs/speed.md: the results of one run, and the recorded figures of Nick and Plone. */
export function speedTable({ rounds, seconds, documents, processes, scenarios, ...run }, engines) {
  const heads = engines.flatMap((engine) => [NAMES[engine], 'ratio', 'goal']);
  const lines = tableLines(
    ['bare', ...heads, 'Nick', 'Plone'],
    scenarios.map((scenario) => [
      scenario.name,
      Math.round(scenario.figures.bare.perSecond).toLocaleString('en'),
      ...engines.flatMap((engine) => cells(scenario, engine)),
      scenario.peers?.nick ?? '',
      scenario.peers?.plone ?? '',
    ]),
  );
  return [
    ...lines,
    '',
    `Requests a second, medians of ${rounds} rounds of ${seconds} s by turns, ${documents} documents beside the measured ones. ${toldRun(run)}`,
    '',
    processTable(processes),
  ].join('\n');
}
