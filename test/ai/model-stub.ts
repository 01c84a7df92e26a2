import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A question as the stub received it. */
type Asked = {
  path: string | undefined;
  authorization: string | undefined;
  text: string;
  body: { model: string; messages: { role: string; content: string }[]; max_tokens: number; stream: boolean };
  /** True if the connection was closed before the response was complete. */
  aborted: boolean;
};

type Reply = (response: ServerResponse, asked: Asked) => unknown;

/** A local service with OpenAI's API for chats, over HTTP. `reply` is what it does with the next questions. */
export type ModelStub = { url: string; asked: Asked[]; reply: Reply; close(): Promise<void> };

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const chunk = (choices: unknown[], more = {}) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices, ...more })}\n\n`;

/** Responds with a text: whole, or streamed word by word. */
export const says =
  (text: string, { finish = 'stop', done = true } = {}): Reply =>
  (response, { body }) => {
    if (!body.stream)
      return json(response, 200, {
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
        usage: USAGE,
      });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const content of text.match(/\S+\s*/g) ?? [])
      response.write(chunk([{ delta: { content }, finish_reason: null }]));
    response.write(chunk([{ delta: {}, finish_reason: finish }]));
    response.write(chunk([], { usage: USAGE }));
    return response.end(done ? 'data: [DONE]\n\n' : '');
  };

/** Responds with a status and a body that repeats the key. */
export const fails =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response, { authorization }) =>
    json(response, status, { error: { message: `No: ${authorization}` } }, headers);

/** Responds with these bytes, unchanged. */
export const sends =
  (text: string, type = 'application/json'): Reply =>
  (response) =>
    response.writeHead(200, { 'Content-Type': type }).end(text);

/** Sends one word, and then nothing more. */
export const hangsAfter =
  (word: string): Reply =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    return response.write(chunk([{ delta: { content: word }, finish_reason: null }]));
  };

/** Sends one word, and then closes the connection. */
export const breaksAfter =
  (word: string): Reply =>
  (response, asked) => {
    hangsAfter(word)(response, asked);
    setTimeout(() => response.destroy(), 20);
  };

/** Never responds. */
export const hangs: Reply = () => undefined;

async function received(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts the stub on a free port. */
export async function startModelStub(): Promise<ModelStub> {
  const stub: Pick<ModelStub, 'asked' | 'reply'> = { asked: [], reply: says('An answer.') };
  const server = createServer(async (request, response) => {
    const text = await received(request);
    const { authorization } = request.headers;
    const asked: Asked = { path: request.url, authorization, text, body: JSON.parse(text), aborted: false };
    stub.asked.push(asked);
    response.once('close', () => {
      asked.aborted = !response.writableFinished;
    });
    stub.reply(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
