import { CONTAINER, get, type HostileGroup, type HostileRequest, LOOSE, VICTIM } from './hostile-request.ts';

const PAGE = '{"@type":"Page","title":"x"}';
const NO_SIGNATURE = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsImV4cCI6OTk5OTk5OTk5OX0.';

const AUTHORIZATIONS = [
  'Basic',
  'Basic ',
  'Basic !!!',
  `Basic ${btoa('no colon')}`,
  `Basic ${btoa(':')}`,
  `Basic ${btoa('admin:')}`,
  `Basic ${btoa('a\u0000b:c\u0000d')}`,
  `Basic ${btoa(`admin:${'x'.repeat(5000)}`)}`,
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer a.b.c',
  `Bearer ${NO_SIGNATURE}`,
  `Bearer ${'a'.repeat(8000)}`,
  'Bearer \u00ff\u00fe',
  'Digest username="admin"',
  'Negotiate x',
  ', , ,',
];

const READ_HEADERS: [string, string[]][] = [
  ['Accept', ['junk', '*/*;q=abc', '*/*;q=-1', ',,,;;;', 'text/html', 'image/png', `${'a/b,'.repeat(2000)}`, '']],
  ['Accept-Language', ['-', '*', 'xx-yy-zz-'.repeat(200), ',,;q=', '\u00ff']],
  ['Accept-Encoding', ['junk', 'gzip;q=abc', '*;q=0']],
  ['If-None-Match', ['junk', '"', '*', 'W/', `${'"a",'.repeat(2000)}`]],
  ['If-Match', ['junk', '"x"']],
  ['If-Modified-Since', ['yesterday', '-1', 'Thu, 99 Foo 99999 99:99:99 GMT']],
  ['If-Range', ['junk']],
  [
    'Range',
    ['bytes=-1', 'bytes=abc', 'bytes=9999999999999999999-', 'bytes=5-1', `bytes=${'0-0,'.repeat(1000)}`, 'pages=1-2'],
  ],
  ['Cookie', ['auth_token=junk', '__ac=%00', '=;=;=', `${'a=b;'.repeat(2000)}`]],
  ['Origin', ['null', 'junk', 'http://evil.example', '\u00ff']],
  ['X-Forwarded-Host', ['evil"<script>', 'a,b,c', ' ', '\u00ff', 'x'.repeat(5000)]],
  ['X-Forwarded-Proto', ['javascript', '']],
  ['X-Forwarded-For', ['junk', '1.2.3.4,'.repeat(1000)]],
  ['Forwarded', ['for="_junk', ';;;']],
  ['Host', ['evil"<script>alert(1)</script>', 'a b', 'x'.repeat(3000), '[::1', 'a:b:c', '']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Upgrade', ['h2c', 'websocket']],
];

const WRITE_HEADERS: [string, string[]][] = [
  [
    'Prefer',
    [
      'junk',
      'return=representation; return=minimal',
      ',,,;;;==',
      'return=',
      'x'.repeat(5000),
      'handling=strict, return="repre',
    ],
  ],
  ['Lock-Token', ['junk', '<>', '\u00ff', 'x'.repeat(5000), "'; drop table locks; --"]],
  ['If-Unmodified-Since', ['yesterday']],
  ['X-HTTP-Method-Override', ['DELETE', 'PUT']],
];

const WRONG_TYPES = [
  'text/plain',
  'text/xml',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/octet-stream',
  'application/jsonp',
  'image/png',
];
const ODD_TYPES = [
  '',
  ';',
  '/',
  'application/json;charset=utf-7',
  'application/json; charset=',
  'application/json; a=b; c="d',
  'APPLICATION/JSON',
  'application/ld+json',
  'application/vnd.api+json',
  `application/json;${'a=b;'.repeat(1000)}`,
];

function methods(): HostileRequest[] {
  const unknown = [
    'FOO',
    'PROPFIND',
    'PROPPATCH',
    'MKCOL',
    'TRACE',
    'LOCK',
    'UNLOCK',
    'PURGE',
    'SEARCH',
    'REPORT',
    'LINK',
    'ACL',
    'M-SEARCH',
    'REBIND',
    'SOURCE',
  ];
  const refused = unknown.map((method): HostileRequest => ({ method, path: VICTIM, headers: {}, refused: true }));
  const odd = ['HEAD', 'OPTIONS'].map(
    (method): HostileRequest => ({
      method,
      path: VICTIM,
      headers: { 'Content-Type': 'application/json' },
      body: '{',
      refused: false,
    }),
  );
  const withContent: HostileRequest = { ...get(VICTIM, { 'Content-Type': 'application/json' }), body: '{"never":' };
  return [...refused, ...odd, withContent];
}

/** Malformed and malicious methods and headers. */
export function hostileHeaders(): HostileGroup[] {
  const post = (headers: Record<string, string>, refused: boolean): HostileRequest => ({
    method: 'POST',
    path: CONTAINER,
    headers,
    body: PAGE,
    refused,
  });
  return [
    { title: 'methods', requests: methods() },
    {
      title: 'credentials',
      requests: AUTHORIZATIONS.flatMap((Authorization) => [
        get(VICTIM, { Authorization }),
        post({ Authorization, 'Content-Type': 'application/json' }, true),
      ]),
    },
    {
      title: 'media types of bodies',
      requests: [
        ...WRONG_TYPES.map((type) => post({ 'Content-Type': type }, true)),
        ...ODD_TYPES.map((type) => post({ 'Content-Type': type }, false)),
        post({}, false),
      ],
    },
    {
      title: 'headers of reads',
      requests: READ_HEADERS.flatMap(([name, values]) => values.map((value) => get(VICTIM, { [name]: value }))),
    },
    {
      title: 'headers of writes',
      requests: WRITE_HEADERS.flatMap(([name, values]) =>
        values.map(
          (value): HostileRequest => ({
            method: 'PATCH',
            path: LOOSE,
            headers: { 'Content-Type': 'application/json', [name]: value },
            body: '{"rights":"x"}',
            refused: false,
          }),
        ),
      ),
    },
  ];
}
