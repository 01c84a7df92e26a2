import { gzipSync } from 'node:zlib';
import { CONTAINER, type HostileGroup, type HostileRequest, LOOSE, VICTIM, withBody } from './hostile-request.ts';
import { deepArray, deepObject } from './hostile-strings.ts';
import type { Random } from './random.ts';

const VALID = JSON.stringify({
  '@type': 'Page',
  title: 'Cut short',
  description: 'A text with "quotes" and \u00e9',
  blocks: { a: { '@type': 'slate', value: [{ type: 'p', children: [{ text: 'x' }] }] } },
  blocks_layout: { items: ['a'] },
});
const DEPTH = 100_000;

const NOT_JSON = [
  '{',
  '[',
  '"',
  '{"a":',
  '{"title":"x"',
  '{title:"x"}',
  "{'title':'x'}",
  '{"title":"x",}',
  '{"title":"x"}}',
  '{"title":"x"}{"title":"y"}',
  'NaN',
  '{"title":NaN}',
  '{"title":Infinity}',
  '{"title":undefined}',
  '{"title":0x10}',
  '{"title":01}',
  '{"title":"\t"}',
  '{"title":"\\x41"}',
  '{"title":"\\u12"}',
  '/* comment */ {}',
  '<?xml version="1.0"?><a/>',
  '\u0000',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
];
const NOT_AN_OBJECT = ['null', 'true', '1', '-0', '1e400', '"text"', '[]', '[{}]', '[["@type","Page"]]'];

function truncations(random: Random): HostileRequest[] {
  return Array.from({ length: 20 }, () => {
    const cut = VALID.slice(0, 1 + random.int(VALID.length - 1));
    return withBody(random.pick(['POST', 'PATCH']), VICTIM, cut, true);
  });
}

function bytes(random: Random): HostileRequest[] {
  const noise = Array.from({ length: 10 }, () => withBody('POST', CONTAINER, random.bytes(1 + random.int(300)), true));
  const inText = [
    [0xff, 0xfe],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xf0, 0x80, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ].map((codes) => {
    const text = Buffer.concat([Buffer.from('{"@type":"Page","title":"'), Uint8Array.from(codes), Buffer.from('"}')]);
    return withBody('POST', CONTAINER, text, false);
  });
  const utf16 = withBody('POST', CONTAINER, Buffer.from(VALID, 'utf16le'), true);
  const marked = withBody('POST', CONTAINER, `\uFEFF${VALID}`, false);
  return [...noise, ...inText, utf16, marked];
}

function deep(): HostileRequest[] {
  const nested = [deepArray(DEPTH), deepObject(DEPTH)];
  return nested.flatMap((value) => [
    withBody('POST', CONTAINER, value, true),
    withBody('POST', '/@login', value, true),
    withBody('POST', CONTAINER, `{"@type":"Page","title":${value}}`, true),
    withBody('POST', CONTAINER, `{"@type":${value},"title":"x"}`, true),
    withBody('POST', CONTAINER, `{"@type":"Page","title":"x","blocks":{"a":${value}}}`, true),
    withBody('POST', CONTAINER, `{"@type":"Page","title":"x","subjects":${value}}`, true),
    withBody('POST', CONTAINER, `{"@type":"Page","title":"x","unknown":${value}}`, false),
    withBody('PATCH', VICTIM, `{"blocks":{"a":{"@type":"slate","value":${value}}}}`, true),
    withBody('PATCH', LOOSE, `{"ordering":${value}}`, false),
    withBody('POST', '/@querystring-search', `{"query":${value}}`, false),
    withBody('POST', `${LOOSE}/@sharing`, `{"entries":${value}}`, false),
  ]);
}

function large(): HostileRequest[] {
  const text = 'x'.repeat(5_000_000);
  const zeros = `[${'0,'.repeat(10_000_000)}0]`;
  const keys = Array.from({ length: 100_000 }, (_, index) => `"key${index}":1`).join(',');
  return [
    withBody('POST', CONTAINER, `{"@type":"Page","title":"${text}"}`, false),
    withBody('POST', CONTAINER, zeros, true),
    withBody('POST', CONTAINER, `{"@type":"Page","title":"x",${keys}}`, false),
    withBody('POST', '/@login', `{"login":"${text}","password":"x"}`, true),
    withBody('POST', '/@login', `{"login":"admin","password":"${text}"}`, true),
    withBody('PATCH', LOOSE, `{"description":"${text}"}`, false),
  ];
}

function encoded(): HostileRequest[] {
  const bomb = gzipSync(`{"@type":"Page","title":"${'0'.repeat(50_000_000)}"}`);
  const plain = gzipSync(VALID);
  const send = (encoding: string, body: Uint8Array | string, refused: boolean): HostileRequest => ({
    ...withBody('POST', CONTAINER, body, refused),
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
  });
  return [
    send('gzip', bomb, true),
    send('gzip', plain.subarray(0, 40), true),
    send('gzip', '{"never":"zipped', true),
    send('br', plain, true),
    send('deflate', 'xxxx', true),
    send('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('0'.repeat(1_000_000)))), true),
    send('no-such-encoding', '{', true),
  ];
}

/** Bodies that do not fit their media type, are too deep or too large, or are compressed. */
export function hostileBodies(random: Random): HostileGroup[] {
  const targets: [string, string][] = [
    ['POST', CONTAINER],
    ['PATCH', VICTIM],
    ['POST', '/@login'],
    ['POST', '/@querystring-search'],
  ];
  const malformed = NOT_JSON.flatMap((body) => targets.map(([method, path]) => withBody(method, path, body, true)));
  const noObject = NOT_AN_OBJECT.flatMap((body) => [
    withBody('POST', CONTAINER, body, true),
    withBody('PATCH', VICTIM, body, true),
    withBody('POST', '/@login', body, true),
  ]);
  const empty = [
    withBody('POST', CONTAINER, '', true),
    withBody('PATCH', LOOSE, '', false),
    withBody('POST', '/@login', '', true),
  ];
  return [
    { title: 'bodies that are not JSON', requests: [...malformed, ...truncations(random), ...empty] },
    { title: 'bodies that are not an object', requests: noObject },
    { title: 'bodies of bytes that are not UTF-8', requests: bytes(random) },
    { title: 'bodies nested 100,000 levels deep', requests: deep() },
    { title: 'large bodies', requests: large() },
    { title: 'packed bodies', requests: encoded() },
  ];
}
