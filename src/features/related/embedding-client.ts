import type { OutsideService } from '#lib/http/outside-service';
import { isJsonObject } from '#lib/json-object';
import type { Trace } from '#lib/process/trace';

/** A service with OpenAI's API that makes embeddings; `url` is the configured address, such as `http://localhost:11434/v1`. */
export type EmbeddingService = { url: string; model: string; apiKey: string | undefined; service: OutsideService };

/** Maximum duration of one request: a model on a laptop needs seconds for a batch. */
const TIMEOUT_MS = 30_000;
/** The largest response in bytes and the longest vector that are accepted: more than any model returns. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_DIMENSIONS = 16_384;

/**
 * Thrown when the service did not return the vectors. `refused` says that it will never accept these texts; otherwise a later attempt may succeed.
 */
export class EmbeddingFailed extends Error {
  readonly refused: boolean;

  constructor(message: string, { refused = false, cause }: { refused?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddingFailed';
    this.refused = refused;
  }
}

/** The vector of length 1 in the same direction, so that the product of two vectors is their cosine. */
function normalised(value: unknown): number[] {
  const isVector = (list: unknown): list is number[] =>
    Array.isArray(list) && list.length <= MAX_DIMENSIONS && list.every((number) => Number.isFinite(number));
  const length = isVector(value) ? Math.hypot(...value) : 0;
  if (!isVector(value) || length === 0)
    throw new EmbeddingFailed('The embedding service returned something other than vectors');
  return value.map((number) => number / length);
}

/** The body of a response. Throws EmbeddingFailed beyond the limit of bytes. */
async function loadText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new EmbeddingFailed('The embedding service returned too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The vectors in a response, in the order of the sent texts. Throws for a response of another form. */
function parseVectors(text: string, count: number): number[][] {
  const body: unknown = JSON.parse(text);
  const data: unknown[] = isJsonObject(body) && Array.isArray(body.data) ? body.data : [];
  const vectors = data
    .filter(isJsonObject)
    .sort((a, b) => Number(a.index) - Number(b.index))
    .map(({ embedding }) => normalised(embedding));
  if (vectors.length !== count)
    throw new EmbeddingFailed('The embedding service did not return a vector for each text');
  return vectors;
}

async function request(
  { url, model, apiKey, service }: EmbeddingService,
  texts: readonly string[],
  trace: Trace | undefined,
): Promise<number[][]> {
  const init: RequestInit = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input: texts }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const patience = { answerMs: TIMEOUT_MS, silenceMs: TIMEOUT_MS, trace };
  const response = await service.fetch(`${url.replace(/\/+$/, '')}/embeddings`, init, patience);
  if (!response.ok) {
    await response.body?.cancel();
    throw new EmbeddingFailed(`The embedding service returned status ${response.status}`, {
      // These statuses are about the texts (too long, or not understood); others are about the service or the key.
      refused: [400, 413, 422].includes(response.status),
    });
  }
  return parseVectors(await loadText(response), texts.length);
}

/**
 * Vectors of length 1 for texts, with one request (`POST <url>/embeddings`). None of the texts may be empty. Throws EmbeddingFailed, whose message
 * has neither the texts nor the key. `trace` is the request that needs the vectors.
 */
export async function embed(service: EmbeddingService, texts: readonly string[], trace?: Trace): Promise<number[][]> {
  if (texts.length === 0) return [];
  try {
    return await request(service, texts, trace);
  } catch (error) {
    if (error instanceof EmbeddingFailed) throw error;
    throw new EmbeddingFailed('The embedding service did not respond', { cause: error });
  }
}
