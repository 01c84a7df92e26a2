import type { HealthCheck, Kernel } from '#core';
import { BadGateway, BadRequest, type ClientError, GatewayTimeout, ServiceUnavailable } from '#lib/errors';
import { OutsideFailure, OutsideService } from '#lib/http/outside-service';
import { logMark, type Trace } from '#lib/process/trace';
import { Slot } from '#lib/slots';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { type AnswerPart, askModel, ModelFailed, type ModelRequest, type ModelService } from './model-client.ts';

/** Maximum number of questions that one process has under way: each holds a connection and a part of its answer. */
const MAX_RUNNING = 64;
/** Seconds after which a client may try again when this process had no room. */
const FULL_RETRY_SECONDS = 5;
/** Number of questions in a row without an answer in time after which the service rests: a single question may have been too long. */
const MAX_SILENCES = 3;
/** Milliseconds for which the outcome of a question is taken as the state of the service. */
const OUTCOME_MS = 10 * MINUTE_MS;

/** Limits of an answer: the signal that the client has left, the maximum time, and the trace of the request. */
type AnswerLimits = { gone: AbortSignal; timeoutMs: number; trace: Trace };

/** The language model of a site, as one process sees it. */
class LanguageModel {
  readonly #service: ModelService;
  readonly #log: Kernel['log'];
  #running = 0;
  #failure: { at: number; message: string } | undefined;

  constructor(service: ModelService, log: Kernel['log']) {
    this.#service = service;
    this.#log = log;
  }

  /** Name of the model at the service. */
  get name(): string {
    return this.#service.model;
  }

  /** The message of the last failure, if it was not long ago. */
  get recentFailure(): string | undefined {
    return this.#failure && Date.now() - this.#failure.at < OUTCOME_MS ? this.#failure.message : undefined;
  }

  /**
   * The answer, part by part. Throws BadGateway when the service fails or cannot be reached, GatewayTimeout when it takes
   * too long, ServiceUnavailable when there is no room at the service or in this process.
   */
  async *answer(request: ModelRequest, { gone, timeoutMs, trace }: AnswerLimits): AsyncGenerator<AnswerPart> {
    if (this.#running >= MAX_RUNNING)
      throw new ServiceUnavailable('The language model is busy. Try again later.', FULL_RETRY_SECONDS);
    const deadline = AbortSignal.timeout(timeoutMs);
    const finished = new AbortController();
    this.#running += 1;
    try {
      const signal = AbortSignal.any([gone, deadline, finished.signal]);
      yield* askModel(this.#service, request, { signal, timeoutMs, trace });
      this.#failure = undefined;
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error;
      throw this.#report(error, { gone, deadline, trace });
    } finally {
      this.#running -= 1;
      // Ends the request when the client stops listening.
      finished.abort();
    }
  }

  /** Returns the error for the client. The log has its cause, which contains neither the key nor the question. */
  #report(
    error: ModelFailed,
    { gone, deadline, trace }: { gone: AbortSignal; deadline: AbortSignal; trace: Trace },
  ): ClientError {
    if (error.cause instanceof OutsideFailure && error.cause.kind === 'resting')
      return new ServiceUnavailable(error.message, error.retryAfter ?? FULL_RETRY_SECONDS);
    if (gone.aborted) return new BadRequest('The client went away before the answer was there.');
    const failure = isLate(error, deadline)
      ? new GatewayTimeout('The language model took too long to answer.')
      : error.retryAfter === undefined
        ? new BadGateway(error.message)
        : new ServiceUnavailable(error.message, error.retryAfter);
    this.#failure = { at: Date.now(), message: failure.message };
    this.#log.warn(
      { ...logMark(trace), model: this.name, cause: error.cause instanceof Error ? error.cause.message : undefined },
      failure.message,
    );
    return failure;
  }
}

/** True if the time for an answer is over: by the clock of the question, or because the service was silent too long. */
const isLate = ({ cause }: ModelFailed, deadline: AbortSignal): boolean =>
  deadline.aborted || (cause instanceof OutsideFailure && cause.kind === 'silent');

/** The model of a kernel; the slot is empty where none is configured. */
const LANGUAGE_MODEL = new Slot<LanguageModel>('language model');

/** Fills the slot if a service and a model are configured. Nothing is connected or loaded before the first question. */
export function openLanguageModel({ config: { llm }, log, slots }: Kernel): void {
  if (llm?.model === undefined) return;
  slots.set(
    LANGUAGE_MODEL,
    new LanguageModel(
      {
        url: llm.url,
        model: llm.model,
        apiKey: llm.apiKey,
        service: new OutsideService('The language model', { maxSilences: MAX_SILENCES }),
      },
      log,
    ),
  );
}

/** The model. Throws BadRequest where none is configured (Nick answers 400). */
export function requireLanguageModel({ slots }: Kernel): LanguageModel {
  const model = slots.find(LANGUAGE_MODEL);
  if (!model) throw new BadRequest('AI is disabled: no language model is configured for this site.');
  return model;
}

/** Sends no request: it reports the outcome of the last question. */
export const modelHealth: HealthCheck = {
  name: 'languageModel:lastAnswer',
  componentType: 'component',
  keep: 0,
  async observe({ slots }) {
    const model = slots.find(LANGUAGE_MODEL);
    if (!model) return { status: 'pass', observedValue: 'not configured' };
    const output = model.recentFailure;
    return output === undefined
      ? { status: 'pass', observedValue: 'no failure' }
      : { status: 'warn', observedValue: 'failure', output };
  },
};
