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

const row = (columns) => `| ${columns.join(' | ')} |`;

/** The table of docs/speed.md: the results of one run, and the recorded figures of Nick and Plone. */
export function speedTable({ date, machine, rounds, seconds, documents, processes, scenarios }, engines) {
  const heads = engines.flatMap((engine) => [NAMES[engine], 'ratio', 'goal']);
  const lines = [
    row(['', 'bare', ...heads, 'Nick', 'Plone']),
    row(['---', ...['', ...heads, '', ''].map(() => '--:')]),
    ...scenarios.map((scenario) =>
      row([
        scenario.name,
        Math.round(scenario.figures.bare.perSecond).toLocaleString('en'),
        ...engines.flatMap((engine) => cells(scenario, engine)),
        scenario.peers?.nick ?? '',
        scenario.peers?.plone ?? '',
      ]),
    ),
  ];
  const memory = processes
    .map(({ name, startMs, memoryMB }) => `${NAMES[name]} ${startMs} ms and ${memoryMB} MB`)
    .join(', ');
  return [
    ...lines,
    '',
    `Requests a second, medians of ${rounds} rounds of ${seconds} s by turns, ${documents} documents beside the measured ones. ${date.slice(0, 10)}, Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), load ${machine.load.toFixed(1)} at the end. First start and memory at the end: ${memory}.`,
  ].join('\n');
}
