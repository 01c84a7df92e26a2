import { tableLines, toldRun } from '../doc-table.mjs';

const NAMES = { pglite: 'embedded', postgresql: 'PostgreSQL', nick: 'Nick', plone: 'Plone' };
const number = (value, digits = 0) => (value === undefined ? '' : value.toFixed(digits));

/** The table of a day: one row a system. */
export function dayTable({ results, date, machine, documents }) {
  const heads = [
    'requests a second in time',
    'median, ms',
    'CPU a request, ms',
    'memory, MB',
    'rename; publish; move, ms',
    'compared; stale',
    'restart, ms; refused',
  ];
  const rows = results.map(({ name, rate, p50, cpuMs, memoryMB, edits, compared, stale, restart }) => [
    NAMES[name] ?? name,
    number(rate),
    number(p50, 1),
    number(cpuMs, 2),
    number(memoryMB),
    `${edits.rename}; ${edits.publish}; ${edits.move}`,
    `${compared.toLocaleString('en')}; ${stale.length}`,
    restart === undefined
      ? ''
      : `${restart.ms}; ${Object.values(restart.failures).reduce((sum, count) => sum + count, 0)}`,
  ]);
  return [
    ...tableLines(heads, rows),
    '',
    `${documents.toLocaleString('en')} documents. ${toldRun({ date, machine })}`,
  ].join('\n');
}
