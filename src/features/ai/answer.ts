import { type Static, Type } from 'typebox';
import { ClientError } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import type { AnswerPart, ModelMessage } from './model-client.ts';
import type { Source } from './sources.ts';

/** How an answer is sent: whole, or part by part as server-sent events or as lines of JSON (Nick). */
type AnswerForm = 'whole' | 'events' | 'lines';

/** The form that a client wants: events if it accepts them, lines if the question requests a stream. */
export function answerForm(accept: string | string[] | undefined, stream: boolean | undefined): AnswerForm {
  const accepts = [accept ?? []].flat().join(',');
  const events = accepts
    .split(',')
    .some((range) => /^\s*text\/event-stream\s*(?:;|$)/i.test(range) && !/;\s*q=0(?:\.0+)?\s*(?:;|$)/i.test(range));
  if (events && stream !== false) return 'events';
  return stream === true ? 'lines' : 'whole';
}

export const CONTENT_TYPES = { events: 'text/event-stream; charset=utf-8', lines: 'application/x-ndjson' } as const;

/** The members of the responses of both services. */
const ANSWER = {
  model: Type.String({ description: 'Its name.' }),
  created_at: Type.String({ format: 'date-time' }),
  response: Type.String({ description: 'The answer; in a stream a part of it.' }),
  done: Type.Boolean({ description: 'Whether this is the end of the answer.' }),
  done_reason: Type.Optional(
    Type.String({ description: '`stop`, or `length` where the answer was cut at the length that the site allows.' }),
  ),
  context: Type.Optional(
    Type.Array(Type.Object({ role: Type.String(), content: Type.String() }), {
      description: 'The conversation, for the next question.',
    }),
  ),
  sources: Type.Optional(
    Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }), '@type': Type.String(), title: Type.String() }), {
      description: 'The content that the model got along with the question. The caller may view all of it.',
    }),
  ),
  total_duration: Type.Optional(Type.Integer({ description: 'Nanoseconds.' })),
  prompt_eval_count: Type.Optional(Type.Integer({ description: 'Tokens of the question with all that went along.' })),
  eval_count: Type.Optional(Type.Integer({ description: 'Tokens of the answer.' })),
};

export const GenerateAnswer = Type.Object(ANSWER);
export const ChatAnswer = Type.Object({
  ...ANSWER,
  message: Type.Object(
    { role: Type.Literal('assistant'), content: Type.String() },
    { description: "`response` in the form of Ollama's chat." },
  ),
});

/** The members with the text of an answer of `@chat` and of `@generate`. */
export const chatText = (text: string) => ({
  response: text,
  message: { role: 'assistant' as const, content: text },
});
export const generatedText = (text: string) => ({ response: text });

/** An answer that is being made: its model, its start and how its members are made. */
export type AnswerInfo<Text extends object = object> = {
  model: string;
  /** Makes the members with the text. */
  textOf(text: string): Text;
  /** By the monotonic clock, in milliseconds. */
  startedAt: number;
  sources: readonly Source[];
  /** A message in the language of the reader. */
  translate(text: string): string;
  /** The conversation with the whole text of the answer. */
  contextWith(answer: string): ModelMessage[];
};

const frame = <Text extends object>({ model, textOf }: AnswerInfo<Text>, text: string, done: boolean) => ({
  model,
  created_at: new Date().toISOString(),
  ...textOf(text),
  done,
});

/** Collects facts about the whole answer from its parts. */
class Summary {
  #text = '';
  #last: Omit<AnswerPart, 'text'> = {};

  add({ text, ...more }: AnswerPart): void {
    this.#text += text;
    this.#last = { ...this.#last, ...more };
  }

  get text(): string {
    return this.#text;
  }

  /** The members at the end of an answer beyond its text (Ollama's names). */
  end({
    sources,
    startedAt,
    contextWith,
  }: AnswerInfo): Omit<Static<typeof GenerateAnswer>, 'model' | 'created_at' | 'response' | 'done'> {
    const { finish = 'stop', promptTokens, answerTokens } = this.#last;
    return {
      done_reason: finish,
      context: contextWith(this.#text),
      sources: sources.map(({ url, type, title }) => ({ '@id': url, '@type': type, title })),
      total_duration: Math.round((performance.now() - startedAt) * 1e6),
      ...(promptTokens === undefined ? {} : { prompt_eval_count: promptTokens }),
      ...(answerTokens === undefined ? {} : { eval_count: answerTokens }),
    };
  }
}

/** The whole answer as one object. */
export async function wholeAnswer<Text extends object>(info: AnswerInfo<Text>, parts: AsyncIterable<AnswerPart>) {
  const summary = new Summary();
  for await (const part of parts) summary.add(part);
  return { ...frame(info, summary.text, true), ...summary.end(info) };
}

/** One object of a stream. */
const written = (form: 'events' | 'lines', body: JsonObject, event = ''): string =>
  form === 'lines' ? `${JSON.stringify(body)}\n` : `${event}data: ${JSON.stringify(body)}\n\n`;

/**
 * The answer as a stream: objects with `done: false`, then one object without text and with all other members of a whole answer. After a failure the
 * last object is the error instead: an event `error`, or a line with `error`.
 */
export async function* streamedAnswer(
  form: 'events' | 'lines',
  info: AnswerInfo,
  parts: AsyncIterable<AnswerPart>,
): AsyncGenerator<string> {
  const summary = new Summary();
  try {
    for await (const part of parts) {
      summary.add(part);
      if (part.text !== '') yield written(form, frame(info, part.text, false));
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { type } = error;
    const message = info.translate(error.message);
    yield written(form, { type, message, error: { type, message }, done: true }, 'event: error\n');
    return;
  }
  yield written(form, { ...frame(info, '', true), ...summary.end(info) });
}
