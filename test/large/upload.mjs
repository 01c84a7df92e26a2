// Sends a large file up and down, killing the server in the middle: npm run test:large -- --help
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect, pathOf } from '../../scripts/lib/client.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { stopChild } from '../../scripts/lib/stop-child.mjs';

const MEBIBYTE = 1024 * 1024;
/** The most memory that a process may use, in mebibytes. */
const MAX_RSS = 300;
const BUCKET = 'canopy-large';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '2048' },
    s3: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The bytes of the file from an offset to an end. Each mebibyte is different, so that exchanged parts are noticed. */
function* bytesOf(from, to) {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / MEBIBYTE);
    const block = Buffer.alloc(MEBIBYTE, createHash('sha256').update(String(number)).digest());
    const piece = block.subarray(at % MEBIBYTE, Math.min(MEBIBYTE, to - number * MEBIBYTE));
    yield piece;
    at += piece.length;
  }
}

function hashOf(from, to) {
  const hash = createHash('sha256');
  for (const piece of bytesOf(from, to)) hash.update(piece);
  return hash.digest('hex');
}

/** The most memory that a process has used so far, in mebibytes; 0 when it has ended. */
async function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Sends a request with a stream as its body. Returns status, headers and the response; rejects when the connection breaks. */
function send(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, resolve);
    outgoing.on('error', reject);
    if (body) pipeline(body, outgoing).catch(reject);
    else outgoing.end();
  });
}

async function textOf(response) {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

/** An S3-compatible server (moto) with a bucket; the settings of a site that uses it. */
async function startS3() {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  onEnd(() => stopChild(child));
  for (let attempt = 0; ; attempt += 1) {
    try {
      await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
      break;
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(200);
    }
  }
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: BUCKET,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'test',
    S3_SECRET_ACCESS_KEY: 'test',
  };
}

const encoded = (text) => Buffer.from(text).toString('base64');
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Uploads by tus with one PATCH, kills the server after half of the bytes, and continues at the other server. */
async function uploadByTus({ size, servers: [first, second], token }) {
  const tus = { 'Tus-Resumable': '1.0.0', Authorization: `Bearer ${token}` };
  const opened = await fetch(`${first.url}/@tus-upload`, {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(size), 'Upload-Metadata': `filename ${encoded('large.bin')}` },
  });
  const path = pathOf(opened.headers.get('location'));
  const patch = (server, offset, length) =>
    send(server.url + path, {
      method: 'PATCH',
      headers: {
        ...tus,
        'Upload-Offset': String(offset),
        'Content-Type': 'application/offset+octet-stream',
        'Content-Length': String(length),
      },
      body: Readable.from(bytesOf(offset, offset + length), { objectMode: false }),
    });
  const started = performance.now();
  const broken = patch(first, 0, size).catch((error) => error);
  const offsetAt = async (server) => {
    const response = await fetch(server.url + path, { method: 'HEAD', headers: tus });
    if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
    return Number(response.headers.get('upload-offset'));
  };
  while ((await offsetAt(second)) < size / 2) await sleep(20);
  const peak = await peakOf(first.pid);
  await first.kill();
  await broken;
  const offset = await offsetAt(second);
  console.log(
    `  killed after ${seconds(started)}; the other process knows of ${offset} bytes, peak ${peak.toFixed(0)} MiB`,
  );
  const resumed = performance.now();
  const response = await patch(second, offset, size - offset);
  const text = await textOf(response);
  if (response.statusCode !== 204) throw new Error(`The last PATCH answered ${response.statusCode}: ${text}`);
  console.log(`  resumed and finished in ${seconds(resumed)}`);
  return { path: pathOf(response.headers.location), peak };
}

/** Uploads a form with one file. */
async function uploadByForm({ size, server, token }) {
  const boundary = 'large-file-boundary';
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="form.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const started = performance.now();
  const response = await send(`${server.url}/`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(head.length + size + tail.length),
    },
    body: Readable.from(
      (function* () {
        yield head;
        // Different bytes from those of the other upload, because known bytes are not stored again.
        yield* bytesOf(MEBIBYTE, size + MEBIBYTE);
        yield tail;
      })(),
      { objectMode: false },
    ),
  });
  const text = await textOf(response);
  if (response.statusCode !== 201) throw new Error(`The form answered ${response.statusCode}: ${text}`);
  console.log(`  form: ${seconds(started)}`);
  return pathOf(JSON.parse(text)['@id']);
}

/** Downloads a file or a part of it. Returns its hash, size and status. */
async function download(server, path, token, headers = {}) {
  const response = await send(`${server.url}${path}/@@download/file`, {
    method: 'GET',
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of response) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { status: response.statusCode, etag: response.headers.etag, hash: hash.digest('hex'), size };
}

await runMain(async () => {
  const size = Number(options.size) * MEBIBYTE;
  if (options.help || !(size >= 64 * MEBIBYTE)) {
    console.log('Usage: npm run test:large -- [--size MEBIBYTES, 64 or more] [--s3]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const databaseUrl = await (await postgresServer()).createDatabase();
  const dataDir = await temporaryDataDir();
  const env = options.s3 ? await startS3() : {};
  const servers = [
    await startServer({ dataDir, databaseUrl, env }),
    // With S3 the processes share nothing but the database and the bucket.
    await startServer({ dataDir: options.s3 ? await temporaryDataDir() : dataDir, databaseUrl, env }),
  ];
  const [, server] = servers;
  const idle = await peakOf(server.pid);
  const { token } = await connect(servers[0].url, { timeout: 600_000 });
  const problems = [];
  const check = (what, holds) => {
    console.log(`  ${what}: ${holds ? 'yes' : 'NO'}`);
    if (!holds) problems.push(what);
  };
  console.log(
    `${options.size} MiB on PostgreSQL, files ${options.s3 ? 'in S3' : 'on disk'}; idle ${idle.toFixed(0)} MiB`,
  );
  const { path, peak } = await uploadByTus({ size, servers, token });
  const formPath = await uploadByForm({ size, server, token });
  const started = performance.now();
  const whole = await download(server, path, token);
  console.log(`  download: ${seconds(started)}`);
  check('the download has the bytes of the upload', whole.hash === hashOf(0, size) && whole.size === size);
  const form = await download(server, formPath, token);
  check('the download has the bytes of the form', form.hash === hashOf(MEBIBYTE, size + MEBIBYTE));
  const [from, to] = [size - 3 * MEBIBYTE - 5, size - MEBIBYTE];
  const range = { Range: `bytes=${from}-${to - 1}` };
  const part = await download(server, path, token, { ...range, 'If-Range': whole.etag });
  check('a range has its bytes', part.status === 206 && part.hash === hashOf(from, to));
  const other = await download(server, path, token, { ...range, 'If-Range': '"other"' });
  check('a range of other bytes is answered in full', other.status === 200 && other.size === size);
  const most = Math.max(peak, await peakOf(server.pid));
  check(`the most memory of a process is below ${MAX_RSS} MiB (${most.toFixed(0)} MiB)`, most < MAX_RSS);
  console.log(`${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
});
