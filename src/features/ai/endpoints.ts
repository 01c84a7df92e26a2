import {
  contentPath,
  defineService,
  downloads,
  has,
  ok,
  panelSettings,
  panels,
  type RequestContext,
  siteSettings,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { admit } from './admission.ts';
import {
  type AnswerInfo,
  answerForm,
  ChatAnswer,
  CONTENT_TYPES,
  chatText,
  GenerateAnswer,
  generatedText,
  streamedAnswer,
  wholeAnswer,
} from './answer.ts';
import { requireLanguageModel } from './language-model.ts';
import type { AnswerPart, ModelMessage } from './model-client.ts';
import { modelPanel } from './panel.ts';
import { promptMessages } from './prompt.ts';
import {
  asksPage,
  asksSite,
  contextAfter,
  historyOf,
  QUESTION_BODY_LIMIT,
  type Question,
  QuestionBody,
} from './question.ts';
import { findSources, pageSource, type Source } from './sources.ts';

/** Permission to ask the model: by default of all users who are logged in (Nick's permission `AI`). */
export const USE_MODEL = 'Use language model';

/** Finds the content that the model gets along with a question. */
async function sourcesOf(
  context: RequestContext,
  question: Question,
  history: readonly ModelMessage[],
): Promise<{ page: Source | undefined; found: Source[] }> {
  const { resolved } = context;
  // A question such as "And in winter?" is understood only with the words of the question before.
  const before = history.findLast(({ role }) => role === 'user')?.content ?? '';
  const words = `${question.prompt}\n${before}`;
  const page = asksPage(question, !contentPath.isRoot(resolved.object))
    ? pageSource(context, resolved, words)
    : undefined;
  const found = asksSite(question) ? await findSources(context, words, page && resolved.object.oid) : [];
  return { page, found };
}

/** The first part, which was received already, and then the others. */
async function* withFirst(first: IteratorResult<AnswerPart>, rest: AsyncGenerator<AnswerPart>) {
  try {
    if (!first.done) {
      yield first.value;
      yield* rest;
    }
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Asks the model and responds in the form that the client wants. A response begins only with the first part of the model, so that a failure before it
 * still gets its status.
 */
async function respond<Text extends object>(
  context: RequestContext,
  question: Question,
  textOf: (text: string) => Text,
) {
  const { kernel, site, headers } = context;
  const model = requireLanguageModel(kernel);
  const { enabled, instructions, requests_per_hour, max_tokens, timeout } = panelSettings(site, modelPanel);
  if (!enabled) throw new BadRequest('AI is disabled: this site does not answer questions.');
  const gone = context.clientGone();
  const startedAt = performance.now();
  const finish = await admit(context, requests_per_hour);
  let streaming = false;
  try {
    const history = historyOf(question);
    const { page, found } = await sourcesOf(context, question, history);
    const messages = promptMessages({
      history,
      question: question.prompt,
      page,
      found,
      siteTitle: panelSettings(site, panels.site).site_title,
      instructions,
    });
    const info: AnswerInfo<Text> = {
      model: model.name,
      textOf,
      startedAt,
      sources: [...(page ? [page] : []), ...found],
      translate: (text) =>
        kernel.messages.translate(text, siteSettings.readerLanguage(site, headers['accept-language']?.toString())),
      contextWith: (answer) => contextAfter(history, question.prompt, answer),
    };
    const form = answerForm(headers.accept, question.stream);
    const request = { messages, maxTokens: max_tokens, stream: form !== 'whole' };
    const parts = model.answer(request, { gone, timeoutMs: timeout * 1000, trace: context.trace });
    if (form === 'whole') return ok(await wholeAnswer(info, parts));
    const first = await parts.next();
    const stream = downloads.loggedStream(kernel.log, () => streamedAnswer(form, info, withFirst(first, parts)));
    // A stream that was never read is closed, too.
    stream.once('close', () => void parts.return(undefined).then(finish, finish));
    streaming = true;
    return {
      status: 200 as const,
      // Keeps a proxy from collecting the parts.
      headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
      contentType: CONTENT_TYPES[form],
      stream,
    };
  } finally {
    if (!streaming) await finish();
  }
}

/** Callers that have the permission may ask about all content that they may view. */
const mayAsk = ({ site, caller, resolved }: RequestContext): boolean =>
  [VIEW, USE_MODEL].every((permission) => has(site, caller, resolved, permission));

const REFUSALS = {
  400: { description: 'Something is wrong with the question, or no model is configured.' },
  429: { description: 'The caller has asked too often, or too much at once; `Retry-After` says when there is room.' },
  502: { description: 'The service of the model failed, or cannot be reached.' },
  503: { description: 'The model is busy; `Retry-After` says when to try again.' },
  504: { description: 'The model took too long.' },
};

/** POST `@chat`: a question in a conversation (Nick). */
export const postChat = defineService({
  name: '@chat',
  method: 'POST',
  context: 'content',
  permission: USE_MODEL,
  checkPermission: mayAsk,
  waitsFor: 'model',
  summary: 'Asks the language model a question in a conversation, with content of the site that the caller may view.',
  body: QuestionBody,
  bodyLimit: QUESTION_BODY_LIMIT,
  responses: {
    200: {
      description: 'The answer. With `Accept: text/event-stream` it comes in parts, as server-sent events.',
      schema: ChatAnswer,
      otherType: 'text/event-stream',
    },
    ...REFUSALS,
  },
  run: (context) => respond(context, context.body, chatText),
});

/** POST `@generate`: a text on request (Nick). */
export const postGenerate = defineService({
  name: '@generate',
  method: 'POST',
  context: 'content',
  permission: USE_MODEL,
  checkPermission: mayAsk,
  waitsFor: 'model',
  summary: 'Has the language model write a text, with content of the site that the caller may view.',
  body: QuestionBody,
  bodyLimit: QUESTION_BODY_LIMIT,
  responses: {
    200: {
      description: 'The answer. With `Accept: text/event-stream` it comes in parts, as server-sent events.',
      schema: GenerateAnswer,
      otherType: 'text/event-stream',
    },
    ...REFUSALS,
  },
  run: (context) => respond(context, context.body, generatedText),
});
