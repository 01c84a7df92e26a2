import { get, type HostileGroup, LOOSE, patchPage, withBody } from './hostile-request.ts';

/** Times outside of the ranges of calendars, JavaScript or PostgreSQL, and times just inside of them. */
const TIMES: readonly unknown[] = [
  ...['9999999-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z', '-271821-04-20', '294277-01-01', '0000-01-01'],
  ...['9999-12-31', '9999-12-31T23:59:59-12:00', '0001-01-01', '0001-01-01T00:00:00+14:00', '2024-02-30'],
  ...['1e400', 'NaN', 'Infinity', '99999999999999999999', '-1', 1e300, -1e300, 253402300800000, true],
];

const INDEXES = ['effective', 'expires', 'start', 'end', 'created', 'modified'];
const OPERATIONS = ['lessThan', 'largerThan', 'between', 'lessThanRelativeDate', 'largerThanRelativeDate'];

/**
 * Requests with a time in each place that takes one: fields, transitions, searches, filters of lists, schedules, locks,
 * settings.
 */
function requestsWith(time: unknown) {
  const text = encodeURIComponent(String(time));
  const body = (method: string, path: string, data: unknown, refused = false) =>
    withBody(method, path, JSON.stringify(data), refused);
  const job = { id: 'hostile-times', action: 'prune-versions' };
  return [
    ...['effective', 'expires'].map((field) => patchPage({ [field]: time }, false)),
    body('POST', `${LOOSE}/@workflow/publish`, { effective: time, expires: time }),
    body('POST', `${LOOSE}/@workflow/retract`, { effective: time }),
    body('POST', `${LOOSE}/@preview-links`, { expires: time }),
    body('POST', `${LOOSE}/@lock`, { timeout: time }),
    body('DELETE', `${LOOSE}/@lock`, { force: true }),
    body('POST', '/@aliases', { items: [{ path: '/old-address', 'redirect-to': LOOSE, datetime: time }] }),
    body('POST', '/@scheduled-jobs', { ...job, schedule: time }, true),
    body('POST', '/@scheduled-jobs', { ...job, schedule: `${time} ${time} * * *` }, true),
    ...INDEXES.flatMap((index) =>
      ['min', 'max'].map((range) => get(`/@search?${index}.query=${text}&${index}.range=${range}`)),
    ),
    ...INDEXES.map((index) => get(`/@search?${index}.query=${text}&${index}.query=${text}&${index}.range=min:max`)),
    ...OPERATIONS.flatMap((operation) =>
      [time, [time, time]].map((v) =>
        body('POST', '/@querystring-search', {
          query: [{ i: 'effective', o: `plone.app.querystring.operation.date.${operation}`, v }],
        }),
      ),
    ),
    ...['deleted_from', 'deleted_until', 'date_from', 'date_to'].map((name) => get(`/@recyclebin?${name}=${text}`)),
    ...['start', 'end', 'datetime'].map((name) => get(`/@aliases?${name}=${text}`)),
  ];
}

/** Times out of range. */
export const hostileDates = (): HostileGroup[] => [
  { title: 'times that cannot be', requests: TIMES.flatMap(requestsWith) },
];
