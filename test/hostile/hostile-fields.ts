import {
  CONTAINER,
  type HostileGroup,
  type HostileRequest,
  LOOSE,
  patchPage,
  postPage,
  withBody,
} from './hostile-request.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';
import type { Random } from './random.ts';

const KNOWN_FIELDS = [
  '@id',
  '@type',
  '@components',
  '@static_behaviors',
  'id',
  'UID',
  'title',
  'description',
  'created',
  'modified',
  'effective',
  'expires',
  'owner',
  'is_folderish',
  'layout',
  'review_state',
  'workflow_state',
  'language',
  'lock',
  'blocks',
  'blocks_layout',
  'items',
  'items_total',
  'parent',
  'subjects',
  'creators',
  'contributors',
  'rights',
  'exclude_from_nav',
  'allow_discussion',
  'changeNote',
  'ordering',
  'sort',
  'relatedItems',
  'preview_image',
  'preview_caption',
  'image',
  'file',
  'text',
  'remoteUrl',
  'start',
  'end',
  'whole_day',
  'open_end',
  'recurrence',
  'location',
  'attendees',
  'contact_name',
  'event_url',
  'translation_of',
  'versioning_enabled',
  'workflow_history',
];

const WRONG_VALUES: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1e308,
  0.1,
  '',
  'text',
  [],
  {},
  [[]],
  [null],
  [{}],
  { '@id': 5 },
  { token: {} },
  { data: 5 },
  { data: 'x', encoding: 'no-such-encoding' },
  ['a', 1, null],
  { length: 1e9 },
  { toJSON: 'x' },
];

/** Fields with values that violate the schema of every page and must be rejected. */
const REFUSED: [string, unknown[]][] = [
  ['title', [null, 5, true, [], {}, ['x']]],
  ['description', [5, true, [], {}]],
  ['@type', [null, 5, true, [], {}, 'No Such Type', '__proto__', 'constructor', 'toString']],
  ['blocks', [5, true, 'text', []]],
  ['blocks_layout', [5, true, 'text']],
  ['subjects', [5, true, {}, [5], [{}]]],
  ['effective', [5e300, true, [], {}, 'not a date']],
  ['expires', [true, [], {}, 'not a date']],
];

const BAD_DATES = [
  '2020-13-45',
  '2020-02-30T00:00:00Z',
  '2020-01-01T25:61:61Z',
  'yesterday',
  'Z',
  'T',
  '2020',
  '0000-00-00',
  '-999999-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999999999-01-01',
  '1'.repeat(1000),
  '2020-01-01T00:00:00+99:99',
  '2020-01-01; drop table content',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'today',
  '4714-11-24 BC',
  '\u0000',
];

const RECURRENCES = [
  'junk',
  'RRULE:',
  'RRULE:FREQ=NEVER',
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=SECONDLY;COUNT=999999999',
  'RRULE:FREQ=DAILY;INTERVAL=0',
  'RRULE:FREQ=DAILY;INTERVAL=-1',
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=DAILY;UNTIL=99999999T000000Z',
  `RRULE:FREQ=DAILY\nEXDATE:${'20200101T000000Z,'.repeat(5000)}`,
  'DTSTART:x\nRRULE:x',
];

function wrongTypes(random: Random): HostileRequest[] {
  return KNOWN_FIELDS.flatMap((field) =>
    Array.from({ length: 4 }, (_, index) => {
      const fields = { [field]: random.pick(WRONG_VALUES) };
      // A PATCH of `id` could rename the page, and later requests would not find it.
      return index % 2 === 0 || field === 'id' ? postPage(fields, false) : patchPage(fields, false);
    }),
  );
}

function dates(): HostileRequest[] {
  const event = (fields: Record<string, unknown>) =>
    withBody(
      'POST',
      CONTAINER,
      JSON.stringify({
        '@type': 'Event',
        title: 'E',
        start: '2026-01-01T10:00:00Z',
        end: '2026-01-01T11:00:00Z',
        ...fields,
      }),
      false,
    );
  return [
    ...BAD_DATES.flatMap((value) => [
      postPage({ effective: value }, false),
      patchPage({ expires: value }, false),
      event({ start: value }),
    ]),
    event({ start: '2026-01-02T00:00:00Z', end: '2026-01-01T00:00:00Z' }),
    ...RECURRENCES.map((recurrence) => event({ recurrence })),
  ];
}

function strings(): HostileRequest[] {
  return HOSTILE_STRINGS.flatMap((text) => [
    postPage({ title: text }, text === ''),
    postPage({ id: text }, false),
    patchPage({ description: text, subjects: [text], rights: text }, false),
    postPage(
      { blocks: { [text]: { '@type': text, plaintext: text, url: text } }, blocks_layout: { items: [text] } },
      false,
    ),
    withBody('POST', '/@login', JSON.stringify({ login: text, password: text }), true),
  ]);
}

function keys(): HostileRequest[] {
  const bodies = [
    '{"@type":"Page","title":"x","__proto__":{"polluted":true}}',
    '{"@type":"Page","title":"x","constructor":{"prototype":{"polluted":true}}}',
    '{"@type":"Page","title":"x","blocks":{"__proto__":{"polluted":true}},"blocks_layout":{"items":["__proto__"]}}',
    '{"@type":"Page","title":"x","blocks":{"a":{"@type":"slate","__proto__":{"polluted":true}}}}',
    '{"__proto__":{"@type":"Page","title":"inherited"}}',
    '{"@type":"Page","@type":"Folder","title":"a","title":"b","title":{}}',
    '{"@type":"Page","title":"x","toString":1,"hasOwnProperty":2,"valueOf":null}',
    '{"@type":"Page","title":"x","":"","\\u0000":"y"}',
  ];
  return bodies.flatMap((body) => [withBody('POST', CONTAINER, body, false), withBody('PATCH', LOOSE, body, false)]);
}

function blocks(): HostileRequest[] {
  const values = [
    null,
    5,
    'x',
    [],
    {},
    { '@type': 5 },
    { '@type': 'slate', value: 5 },
    { '@type': 'slate', value: [null] },
    { '@type': 'slate', value: [{ children: {} }] },
    { '@type': 'listing', querystring: { query: 5 } },
    { '@type': 'teaser', href: {} },
    { '@type': 'image', url: {} },
    { '@type': 'gridBlock', blocks: [], blocks_layout: null },
    { '@type': 'html', html: {} },
  ];
  return values.flatMap((value) => [
    postPage({ blocks: { a: value }, blocks_layout: { items: ['a'] } }, false),
    patchPage({ blocks: { a: value }, blocks_layout: { items: ['b', 'b', 5, null, {}] } }, false),
  ]);
}

function files(): HostileRequest[] {
  const values = [
    { data: '!!!', encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' },
    { data: {}, encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' },
    { data: 'eA==', encoding: 'rot13', filename: 'a.txt', 'content-type': 'text/plain' },
    { data: 'eA==', encoding: 'base64', filename: '../../etc/passwd', 'content-type': 'text/plain' },
    { data: 'eA==', encoding: 'base64', filename: 'a\u0000\r\nX: y"\\.txt', 'content-type': 'text/plain' },
    { data: 'eA==', encoding: 'base64', filename: 'n'.repeat(10_000), 'content-type': 'text/plain' },
    { data: 'eA==', encoding: 'base64', filename: 'a.txt', 'content-type': 'a\r\nX-Injected: yes' },
    { data: 'eA==', encoding: 'base64', filename: {}, 'content-type': [] },
    { data: 'eA==', encoding: 'base64', filename: 'a.png', 'content-type': 'image/png' },
    { download: 'http://127.0.0.1:1/', filename: 'a.txt' },
  ];
  const types: [string, string][] = [
    ['File', 'file'],
    ['Image', 'image'],
  ];
  return types.flatMap(([type, field]) =>
    values.map((value) =>
      withBody('POST', CONTAINER, JSON.stringify({ '@type': type, title: 'F', [field]: value }), false),
    ),
  );
}

/** Valid JSON with invalid values of fields. */
export function hostileFields(random: Random): HostileGroup[] {
  const refused = REFUSED.flatMap(([field, values]) =>
    values.flatMap((value) => {
      const post = postPage({ [field]: value }, true);
      return field === '@type' ? [post] : [post, patchPage({ [field]: value }, true)];
    }),
  );
  return [
    { title: 'values that break the schema', requests: refused },
    { title: 'wrong types for every known field', requests: wrongTypes(random) },
    { title: 'bad dates and recurrences', requests: dates() },
    { title: 'hostile texts', requests: strings() },
    { title: 'hostile keys', requests: keys() },
    { title: 'broken blocks', requests: blocks() },
    { title: 'broken files', requests: files() },
  ];
}
