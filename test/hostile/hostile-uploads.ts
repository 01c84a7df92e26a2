import { CONTAINER, type HostileGroup, type HostileRequest, LOOSE } from './hostile-request.ts';

const TUS = { 'Tus-Resumable': '1.0.0' };
const OFFSET_TYPE = 'application/offset+octet-stream';
const NO_UPLOAD = `${CONTAINER}/@tus-upload/${'0'.repeat(32)}`;

const LENGTHS = [
  '',
  '-1',
  '+1',
  '1.5',
  '1e9',
  '0x10',
  'NaN',
  'Infinity',
  '9'.repeat(15),
  '9'.repeat(16),
  '9'.repeat(4000),
  '8, 8',
  '\u00ff',
];
const METADATA = [
  'filename',
  'filename !!!',
  'filename dGVzdA==,filename dGVzdA==',
  ',,,',
  'filename /wD/',
  '@type X19wcm90b19f',
  '@type Y29uc3RydWN0b3I=',
  '@type AAAA',
  'fieldname X19wcm90b19f',
  'filename Li4vLi4vZXRjL3Bhc3N3ZA==',
  `filename ${'QUFB'.repeat(2500)}`,
  `${'a'.repeat(5000)} dGVzdA==`,
  Array.from({ length: 1000 }, (_, i) => `k${i} eA==`).join(','),
  '\u00ff\u00fe',
];
const CHECKSUMS = [
  '',
  'sha1',
  'sha1 ',
  'sha1 !!!',
  'md4 AAAA',
  'constructor AAAA',
  'sha256 AAAA',
  `sha1 ${'A'.repeat(5000)}`,
  '\u00ff',
];
const MULTIPART = 'multipart/form-data; boundary=b';
const FORMS = [
  '',
  '--b',
  '--b--',
  '--b\r\n\r\n\r\n--b--',
  '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--',
  '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--',
  '--b\r\nContent-Disposition: form-data; name="file"; filename="../../x"\r\n\r\nx',
  '--b\r\nContent-Disposition: form-data; name="@type"\r\n\r\nconstructor\r\n--b--',
  '--b\r\nContent-Disposition: form-data; name="title"\r\nContent-Type: application/json\r\n\r\n{"a":\r\n--b--',
  `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n${'['.repeat(5000)}\r\n--b--`,
  `--b\r\nX: ${'x'.repeat(100_000)}\r\n\r\nx\r\n--b--`,
  Array.from({ length: 2000 }, (_, i) => `--b\r\nContent-Disposition: form-data; name="n${i}"\r\n\r\nx\r\n`).join('') +
    '--b--',
  `${Array.from(
    { length: 30 },
    (_, i) => `--b\r\nContent-Disposition: form-data; name="f${i}"; filename="x"\r\n\r\nx\r\n`,
  ).join('')}--b--`,
  'no form at all',
];

const request = (method: string, path: string, headers: Record<string, string>, body?: string): HostileRequest => ({
  method,
  path,
  headers,
  ...(body === undefined ? {} : { body }),
  refused: false,
});

/** Malformed and malicious headers and bodies of uploads. */
export function hostileUploads(): HostileGroup[] {
  const open = (headers: Record<string, string>) =>
    request('POST', `${CONTAINER}/@tus-upload`, { ...TUS, 'Upload-Length': '8', ...headers });
  const patch = (headers: Record<string, string>) =>
    request('PATCH', NO_UPLOAD, { ...TUS, 'Upload-Offset': '0', 'Content-Type': OFFSET_TYPE, ...headers }, 'x');
  return [
    {
      title: 'headers of resumable uploads',
      requests: [
        ...LENGTHS.flatMap((value) => [open({ 'Upload-Length': value }), patch({ 'Upload-Offset': value })]),
        ...METADATA.map((value) => open({ 'Upload-Metadata': value })),
        ...CHECKSUMS.flatMap((value) => [
          patch({ 'Upload-Checksum': value }),
          request(
            'POST',
            `${CONTAINER}/@tus-upload`,
            { ...TUS, 'Upload-Length': '8', 'Content-Type': OFFSET_TYPE, 'Upload-Checksum': value },
            'x',
          ),
        ]),
        ...['', '2.0.0', '1.0.0, 1.0.0', '\u00ff'].map((value) => open({ 'Tus-Resumable': value })),
        open({ 'Upload-Concat': 'final;/a /b' }),
        open({ 'Upload-Defer-Length': '1' }),
        open({ 'X-HTTP-Method-Override': 'DELETE' }),
        request('POST', `${LOOSE}/@tus-replace`, { ...TUS, 'Upload-Length': '8' }),
        ...['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS'].map((method) => request(method, NO_UPLOAD, TUS)),
      ],
    },
    {
      title: 'forms',
      requests: FORMS.flatMap((body) => [
        request('POST', CONTAINER, { 'Content-Type': MULTIPART }, body),
        request('PATCH', LOOSE, { 'Content-Type': MULTIPART }, body),
      ]),
    },
  ];
}
