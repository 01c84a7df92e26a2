// A bare Fastify server that sends copies of another server's responses: the upper bound that Canopy is compared with.
// Usage: node bench/bare-server.mjs; the addresses to copy come over IPC as { path, url, headers }.
import Fastify from 'fastify';

/** Headers that belong to one connection or are set by Fastify itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

const app = Fastify();
const answers = new Map();

app.get('/*', (request, reply) => {
  const answer = answers.get(request.url);
  if (answer === undefined) return reply.code(404).send({ message: 'Nothing was copied to this address.' });
  return reply.headers(answer.headers).send(answer.bytes);
});

/** Fetches a response and serves its bytes and headers at `path` from now on. */
async function copy({ path, url, headers }) {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}`);
  const kept = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name));
  answers.set(path, { headers: Object.fromEntries(kept), bytes: Buffer.from(await response.arrayBuffer()) });
}

process.on('message', async (message) => {
  try {
    await copy(message);
    process.send({ copied: message.path });
  } catch (error) {
    process.send({ error: error.message });
  }
});
process.once('disconnect', () => process.exit(0));

process.send({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
