import { tableLines, toldRun } from '../doc-table.mjs';
import { NAMES } from './names.mjs';
import { IN_TIME_MS } from './rate.mjs';

const ROW_NAMES = {
  'pglite-nothing': 'embedded, nothing kept',
  'pglite-rows': 'embedded, rows kept',
  'postgresql-nothing': 'PostgreSQL, nothing kept',
  'postgresql-rows': 'PostgreSQL, rows kept',
  stored: 'a bare server with a table',
  nick: 'Nick',
  plone: 'Plone',
};

const number = (value, digits = 0) =>
  value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const listOf = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ');

/** Rates that were asked for twice, with the milliseconds in which 99 of 100 requests came at first and then. */
const twiceOf = (askedTwice) =>
  askedTwice
    .map(({ rate, p99: [first, second] }) => `${number(rate)} (${number(first)}, ${number(second)})`)
    .join('; ');

/** Notes on one system: rates that were asked for twice, requests that it does not answer, failures, and old responses. */
function remarks({ name, lacking, errors, editFailures, late, latestMs, rate, p99, usual, askedTwice }) {
  const failed = Object.fromEntries(Object.entries(editFailures).map(([edit, { count }]) => [edit, count]));
  return [
    rate === 0 ? `at ${usual} a second 99 % take up to ${number(p99)} ms` : '',
    askedTwice.length > 0 ? `asked twice, with the ms for 99 % at first and then: ${twiceOf(askedTwice)}` : '',
    Object.keys(lacking).length > 0 ? `not answered, and left out: ${listOf(lacking)}` : '',
    Object.keys(errors).length > 0 ? `errors: ${listOf(errors)}` : '',
    Object.keys(failed).length > 0 ? `edits that failed: ${listOf(failed)}` : '',
    late > 0 ? `${number(late)} responses were up to ${number(latestMs)} ms old, as is allowed behind Varnish` : '',
  ]
    .filter((text) => text !== '')
    .map((text) => `- ${NAMES[name]}: ${text}.`);
}

/** The table of a day: one row a system. */
function dayLines(days) {
  const heads = [
    'requests a second',
    'median, ms',
    'CPU a request, ms',
    'memory, MB',
    'compared',
    'stale',
    'errors',
    'rename; publish; move, ms',
    'restart, ms',
    'refused meanwhile',
  ];
  const rows = days.map(({ name, failed, rate, p50, cpuMs, memoryMB, edits, compared, stale, errorCount, restart }) =>
    failed === undefined
      ? [
          ...[NAMES[name], number(rate), number(p50, 1), number(cpuMs, 2), number(memoryMB), number(compared)],
          ...[number(stale), number(errorCount), `${edits.rename}; ${edits.publish}; ${edits.move}`],
          ...[number(restart.ms), number(restart.refused)],
        ]
      : [NAMES[name], `failed: ${failed.replaceAll('|', '/')}`, ...heads.slice(1).map(() => '')],
  );
  const done = days.filter(({ failed }) => failed === undefined);
  return [...tableLines(heads, rows), '', ...done.flatMap(remarks)];
}

/** How many times as fast as Nick, and the goal. */
function cellOf({ figures, goals }, name) {
  const figure = figures[name];
  if (figure === undefined || figure.failed !== undefined) return 'failed';
  const text = `${number(figure.perSecond)}${figure.errors > 0 ? ` (${number(figure.errors)} errors)` : ''}`;
  const nick = figures.nick?.perSecond;
  if (goals[name] === undefined || !nick) return text;
  return `${text}; ${number(figure.perSecond / nick, 1)} × (${goals[name]})`;
}

/** The section of docs/speed.md about what comes from the database, and about writes. */
export function rowsTable({ rows, names, failed }, run) {
  return [
    'Requests a second from the database, times those of Nick, and in brackets the goal. A folder is sent with its 50 whole objects:',
    '',
    ...tableLines(
      names.map((name) => ROW_NAMES[name]),
      rows.map((row) => [row.name, ...names.map((name) => cellOf(row, name))]),
    ),
    '',
    ...Object.entries(failed).map(([name, reason]) => `- ${ROW_NAMES[name]} failed: ${reason}`),
    toldRun(run),
  ].join('\n');
}

/** The section of docs/speed.md about the day. */
export function dayTable({ days, documents, seconds, ...run }) {
  return [
    ...dayLines(days),
    '',
    `Requests a second at which 99 of 100 take less than ${IN_TIME_MS} ms; CPU and memory of the server with its database and Varnish at half of them. ${number(documents)} pages, ${seconds} s each. ${toldRun(run)}`,
  ].join('\n');
}

const OWN_FRAMES = 25;
const WHOLE_FRAMES = 40;
const FILES = 20;
const percent = (share) => `${(share * 100).toFixed(1)} %`;
const code = (name) => `\`${name.replaceAll('|', '/').replaceAll('`', "'")}\``;

/** The text of a profile: where the time of the server goes. */
export function profileTable({ files, own, whole, busy }, { documents, ...run }) {
  const lines = (title, list) => [
    `**${title}**`,
    '',
    ...tableLines(
      ['of the work'],
      list.map(({ name, share }) => [code(name), percent(share)]),
    ),
    '',
  ];
  return [
    `Of the time of the main thread ${percent(busy)} was work, at half the rate in time. ${number(documents)} pages. ${toldRun(run)}`,
    '',
    ...lines('Files', files.slice(0, FILES)),
    ...lines('In itself', own.slice(0, OWN_FRAMES)),
    ...lines('With what it calls', whole.slice(0, WHOLE_FRAMES)),
  ]
    .join('\n')
    .trimEnd();
}
