import { createParser } from 'eventsource-parser';
import { OutsideFailure, type OutsideService } from '#lib/http/outside-service';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import type { Trace } from '#lib/process/trace';

/** A service with OpenAI's API and the model that it is asked for; `/chat/completions` is appended to `url`. */
export type ModelService = { url: string; model: string; apiKey: string | undefined; service: OutsideService };

/** One message of a conversation, in OpenAI's terms. */
export type ModelMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A question: the conversation, whose last message is to be answered; `stream` asks for the answer in parts. */
export type ModelRequest = { messages: readonly ModelMessage[]; maxTokens: number; stream: boolean };

/** A part of an answer. `finish` (`stop`, `length` …) comes with the last one, the numbers of tokens where they are known. */
export type AnswerPart = { text: string; finish?: string; promptTokens?: number; answerTokens?: number };

/**
 * Thrown when the service did not answer. The message contains nothing that the service sent, because that may repeat the key. `retryAfter`, in
 * seconds, is set when the service has no room just now.
 */
export class ModelFailed extends Error {
  readonly retryAfter: number | undefined;

  constructor(message: string, { retryAfter, cause }: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelFailed';
    this.retryAfter = retryAfter;
  }
}

/** Maximum bytes of a whole response: the reasoning that some models send is many times longer than their answer. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Seconds to wait when the service names none, and the maximum that is accepted from it. */
const DEFAULT_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3600;

const NOT_ASKED = 'The language model has not answered a moment ago. Try again later.';
const NONSENSE = 'The service of the language model returned something else than an answer.';

/** The seconds in a header `Retry-After`, which has seconds or a date. */
function retryAfter(header: string | null): number {
  const seconds = /^\d{1,9}$/.test(header ?? '') ? Number(header) : (Date.parse(header ?? '') - Date.now()) / 1000;
  if (!Number.isFinite(seconds)) return DEFAULT_RETRY_SECONDS;
  return Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
}

/** The failure for a status other than success, with a message for the user. */
function failureOf({ status, headers }: Response): ModelFailed {
  if (status === 429)
    return new ModelFailed('The language model is busy. Try again later.', {
      retryAfter: retryAfter(headers.get('retry-after')),
    });
  if (status === 401 || status === 403)
    return new ModelFailed('The service of the language model does not accept the key of this site.');
  if (status === 404) return new ModelFailed('The service of the language model does not know the model.');
  if (status === 400 || status === 413 || status === 422)
    return new ModelFailed('The language model does not accept the question. It may be too long for it.');
  return new ModelFailed('The service of the language model failed.');
}

/** The text of a response as it comes in. Throws ModelFailed beyond the limit of bytes. */
async function* textsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ModelFailed('The answer of the language model is too long.');
    yield decoder.decode(chunk, { stream: true });
  }
}

async function wholeText(response: Response): Promise<string> {
  let whole = '';
  for await (const text of textsOf(response)) whole += text;
  return whole;
}

/** The data of server-sent events, as they come in. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  for await (const text of textsOf(response)) {
    parser.feed(text);
    yield* events.splice(0);
  }
  parser.reset({ consume: true });
  yield* events;
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // A text that is not JSON causes the same error as JSON of another form.
  }
  throw new ModelFailed(NONSENSE);
}

const tokensIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The part of the answer in an object of the API: a whole `message`, or the `delta` of a stream. */
function partOf({ choices, usage, error }: JsonObject): AnswerPart {
  if (error !== undefined && error !== null) throw new ModelFailed('The service of the language model failed.');
  if (!Array.isArray(choices)) throw new ModelFailed(NONSENSE);
  const choice: unknown = choices[0];
  const { message, delta, finish_reason: finish } = isJsonObject(choice) ? choice : {};
  const said = message ?? delta;
  const content = isJsonObject(said) ? (said.content ?? '') : '';
  if (typeof content !== 'string') throw new ModelFailed(NONSENSE);
  const counts = isJsonObject(usage) ? usage : {};
  const promptTokens = tokensIn(counts.prompt_tokens);
  const answerTokens = tokensIn(counts.completion_tokens);
  return {
    text: content.toWellFormed(),
    ...(typeof finish === 'string' ? { finish } : {}),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(answerTokens === undefined ? {} : { answerTokens }),
  };
}

/** The parts of a streamed answer. Throws ModelFailed for a stream that ends before the answer does. */
async function* streamedParts(response: Response): AsyncGenerator<AnswerPart> {
  let complete = false;
  for await (const data of eventsOf(response)) {
    // The end of the answer is marked by this event, by the reason of its end, or by both.
    if (data === '[DONE]') return;
    const part = partOf(parseObject(data));
    complete ||= part.finish !== undefined;
    yield part;
  }
  if (!complete) throw new ModelFailed('The answer of the language model broke off.');
}

/** The answer in one part. */
async function wholePart(response: Response): Promise<AnswerPart> {
  const body = parseObject(await wholeText(response));
  const part = partOf(body);
  // An empty list of choices is possible in a stream only, beside the numbers of tokens.
  if (Array.isArray(body.choices) && body.choices.length === 0) throw new ModelFailed(NONSENSE);
  return part;
}

type AskOptions = { signal: AbortSignal; timeoutMs: number; trace: Trace | undefined };

async function post(
  { url, model, apiKey, service }: ModelService,
  request: ModelRequest,
  { signal, timeoutMs, trace }: AskOptions,
): Promise<Response> {
  const { messages, maxTokens, stream } = request;
  const init: RequestInit = {
    method: 'POST',
    // A redirect would send the key and the question elsewhere.
    redirect: 'error',
    headers: {
      'Content-Type': 'application/json',
      Accept: stream ? 'text/event-stream' : 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, max_tokens: maxTokens, stream }),
    signal,
  };
  try {
    return await service.fetch(`${url}/chat/completions`, init, { answerMs: timeoutMs, silenceMs: timeoutMs, trace });
  } catch (error) {
    if (error instanceof OutsideFailure && error.kind === 'resting')
      throw new ModelFailed(NOT_ASKED, { retryAfter: error.retryAfter, cause: error });
    throw new ModelFailed('The service of the language model cannot be reached.', { cause: error });
  }
}

/**
 * Asks the model (`POST <url>/chat/completions`) and returns its answer part by part, in one part unless the service streams. Throws ModelFailed; the
 * request to the service ends at once when `signal` is aborted, and after `timeoutMs` without data.
 */
export async function* askModel(
  service: ModelService,
  request: ModelRequest,
  options: AskOptions,
): AsyncGenerator<AnswerPart> {
  const response = await post(service, request, options);
  if (!response.ok) {
    await response.body?.cancel();
    throw failureOf(response);
  }
  try {
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type)) yield* streamedParts(response);
    else yield await wholePart(response);
  } catch (error) {
    if (error instanceof ModelFailed) throw error;
    throw new ModelFailed('The answer of the language model broke off.', { cause: error });
  }
}
