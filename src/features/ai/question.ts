import { type StaticDecode, Type } from 'typebox';
import { schemas } from '#core';
import type { ModelMessage } from './model-client.ts';

/** Characters of a question, and of one message before it. */
const MAX_PROMPT_LENGTH = 8000;
const MAX_MESSAGE_LENGTH = 32_000;
/** Messages before the question, and their characters altogether: more than a conversation needs. */
const MAX_MESSAGES = 50;
const MAX_HISTORY_LENGTH = 64_000;

/** Largest body in bytes: the longest question and conversation with every character escaped. */
export const QUESTION_BODY_LIMIT = 512 * 1024;

const Message = Type.Object({
  role: Type.Enum(['user', 'assistant', 'system'], { message: 'must be user, assistant or system' }),
  content: schemas.Text({ maxLength: MAX_MESSAGE_LENGTH }),
});

const lengthOf = (messages: readonly { content: string }[]): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

const Messages = (description: string) =>
  Type.Refine(
    Type.Array(Message, { description, maxItems: MAX_MESSAGES }),
    (messages) => lengthOf(messages) <= MAX_HISTORY_LENGTH,
    () => `must have at most ${MAX_HISTORY_LENGTH} characters altogether`,
  );

/** A switch among the parameters: Nick's clients send the word. */
const Switch = (description: string) =>
  Type.Union([Type.Boolean(), Type.Enum(['enable', 'disable', ''])], {
    description,
    message: 'must be true or false, "enable" or "disable"',
  });

const NOTHING = 'is not supported';

const Params = Type.Object(
  {
    Site: Type.Optional(Switch('Whether the model gets content of the site that has to do with the question.')),
    Page: Type.Optional(
      Switch('Whether it gets the page that is asked from. So it is unless this says no, except on the site root.'),
    ),
    Attachment: Type.Optional(
      Type.Union([Type.Null(), Type.Literal('')], { description: 'Files are not read.', message: NOTHING }),
    ),
  },
  { description: 'What the model gets along with the question.' },
);

/** The body of `@chat` and of `@generate`: clients send `messages` to both. */
export const QuestionBody = Type.Object(
  {
    prompt: schemas.Text({
      description: `The question, of at most ${MAX_PROMPT_LENGTH} characters.`,
      minLength: 1,
      maxLength: MAX_PROMPT_LENGTH,
      reject: {
        required: 'Prompt is a required field.',
        minLength: 'Prompt is a required field.',
        maxLength: `Prompt has at most ${MAX_PROMPT_LENGTH} characters.`,
        other: 'Prompt must be a text.',
      },
    }),
    params: Type.Optional(schemas.Nullable(Params)),
    context: Type.Optional(
      schemas.Nullable(
        Type.Union(
          [
            Messages('The conversation so far: `context` of the last response.'),
            Type.Array(Type.Integer(), {
              description: "What Ollama's own API gives. It says nothing to this service.",
              maxItems: 200_000,
            }),
          ],
          { message: 'must be what the last response had as `context`' },
        ),
      ),
    ),
    stream: Type.Optional(
      Type.Boolean({
        description: 'Sends the answer in parts, as lines of JSON. With `Accept: text/event-stream` they are events.',
      }),
    ),
    attachments: Type.Optional(
      schemas.Nullable(
        Type.Array(Type.Unknown(), { description: 'Files are not read.', maxItems: 0, message: NOTHING }),
      ),
    ),
    images: Type.Optional(
      schemas.Nullable(
        Type.Array(Type.Unknown(), { description: 'Pictures are not read.', maxItems: 0, message: NOTHING }),
      ),
    ),
    tools: Type.Optional(
      schemas.Nullable(
        Type.Array(Type.Unknown(), { description: 'Tools are not supported.', maxItems: 0, message: NOTHING }),
      ),
    ),
    messages: Type.Optional(schemas.Nullable(Messages('The conversation so far. With them `context` does not count.'))),
  },
  { examples: [{ prompt: 'And in winter?', messages: [{ role: 'user', content: 'When do you open?' }] }] },
);

/** The checked body of a question, in either form. */
export type Question = StaticDecode<typeof QuestionBody>;

const isOn = (value: boolean | string | undefined): boolean => value === true || value === 'enable';

/** True if the model gets content of the whole site along. */
export const asksSite = ({ params }: Question): boolean => isOn(params?.Site);

/** True if the model gets the page of the request along; `byDefault` where the question does not say. */
export const asksPage = ({ params }: Question, byDefault: boolean): boolean =>
  params?.Page === undefined ? byDefault : isOn(params.Page);

/** The conversation before the question. */
export function historyOf({ messages, context }: Question): ModelMessage[] {
  if (messages && messages.length > 0) return messages;
  return (context ?? []).flatMap((item) => (typeof item === 'number' ? [] : [item]));
}

/** The conversation after an answer, in the length that the next question may send back: the oldest messages are dropped first. */
export function contextAfter(history: readonly ModelMessage[], question: string, answer: string): ModelMessage[] {
  const last: ModelMessage[] = [
    { role: 'user', content: question },
    { role: 'assistant', content: answer.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() },
  ];
  const kept = history.slice(-(MAX_MESSAGES - last.length));
  while (lengthOf(kept) + lengthOf(last) > MAX_HISTORY_LENGTH) kept.shift();
  return [...kept, ...last];
}
