import { type FieldProblem, ValidationFailed } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import { parseJobParams } from './params.ts';
import { nextRun } from './schedule.ts';
import type { ScheduledJob } from './statements/scheduled-jobs.ts';

const ID = /^[a-z0-9][a-z0-9_.-]{0,99}$/i;
const EVERY_NIGHT = '0 0 * * *';
const MAX_TITLE = 255;
const MAX_DESCRIPTION = 2000;

const SCHEDULE_PROBLEM =
  'must be a cron expression of five fields in UTC (minute, hour, day, month, day of the week) that some day fits, such as "0 3 * * *"';

/** Reads values of a body one by one and keeps what is wrong with them. */
class Reader {
  readonly problems: FieldProblem[] = [];
  readonly #input: JsonObject;

  constructor(input: JsonObject) {
    this.#input = input;
  }

  /** A value that fits, or `fallback` where the body has none. */
  value<T>(field: string, fallback: T, fits: (value: unknown) => value is T, message: string): T {
    const value = this.#input[field];
    if (value === undefined) return fallback;
    if (fits(value)) return value;
    this.problems.push({ field, message });
    return fallback;
  }

  text(field: string, fallback: string, most: number): string {
    const fits = (value: unknown): value is string => typeof value === 'string' && value.length <= most;
    return this.value(field, fallback, fits, `must be a text of at most ${most} characters`);
  }
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The id of a new job; of one that there is, it stays. */
function readId(reader: Reader, current: ScheduledJob | undefined): string {
  if (current) {
    const same = (value: unknown): value is string => value === current.id;
    return reader.value('id', current.id, same, 'cannot be changed: make another scheduled job');
  }
  const fits = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
  const id = reader.value('id', '', fits, 'must be 1 to 100 letters, digits and any of "_.-", such as nightly-reindex');
  if (id === '' && reader.problems.length === 0) reader.problems.push({ field: 'id', message: 'is required' });
  return id;
}

/** What is wrong with an action and its params, taken together. */
function actionProblems(kernel: Kernel, site: Site, { action, params }: ScheduledJob): FieldProblem[] {
  const known = kernel.jobActions.get(action);
  if (!known) {
    const names = kernel.jobActions.all().map(({ name }) => name);
    return [{ field: 'action', message: `must be one of ${names.join(', ')}` }];
  }
  try {
    parseJobParams(known, params, site);
    return [];
  } catch (error) {
    if (error instanceof ValidationFailed) return error.problems;
    throw error;
  }
}

/**
 * A scheduled job as a body has it: a new one, or `current` with what the body changes. Keys that it does not have are passed
 * over. Throws ValidationFailed with all that is wrong.
 */
export function readScheduledJob(
  kernel: Kernel,
  site: Site,
  { input, current, now }: { input: JsonObject; current?: ScheduledJob; now: Date },
): ScheduledJob {
  const reader = new Reader(input);
  const id = readId(reader, current);
  const job: ScheduledJob = {
    id,
    title: reader.text('title', current?.title ?? id, MAX_TITLE),
    description: reader.text('description', current?.description ?? '', MAX_DESCRIPTION),
    enabled: reader.value('enabled', current?.enabled ?? true, isBoolean, 'must be true or false'),
    action: reader.text('action', current?.action ?? '', 100),
    params: reader.value('params', current?.params ?? {}, isJsonObject, 'must be an object'),
    schedule: reader.text('schedule', current?.schedule ?? EVERY_NIGHT, 200).trim(),
    nextRun: null,
  };
  const next = nextRun(job.schedule, now);
  if (!next) reader.problems.push({ field: 'schedule', message: SCHEDULE_PROBLEM });
  // What is gone since, such as a type in the params, does not keep a job from being switched off.
  const isAsked = !current || input.action !== undefined || input.params !== undefined;
  const problems = [...reader.problems, ...(isAsked ? actionProblems(kernel, site, job) : [])];
  if (problems.length > 0 || !next) throw new ValidationFailed(problems);
  // A run that is due is not lost when something else is changed.
  const stays = current?.nextRun && current.schedule === job.schedule ? current.nextRun : next;
  return { ...job, nextRun: job.enabled ? stays : null };
}
