import type { FieldProblem } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json-object.ts';
import type { Caller } from '../security/caller.ts';
import type { Schema } from '../types/definition.ts';
import type { Kernel } from './kernel.ts';
import type { Site } from './site.ts';

/** What a job works with while it runs. */
export type JobContext = {
  /** Its database gives way to requests, and begins nothing more once the job is to stop. */
  kernel: Kernel;
  /** As they were validated when the job began. */
  params: JsonObject;
  /** In whose name: who asked for the job, with the rights of a Manager where a Manager did. */
  caller: Caller;
  /** Ends when the job is to stop, for work outside of the database: throw its reason. What is done stays done. */
  signal: AbortSignal;
  /** Tells how much is done of how much. Cheap: it may be called for each step. */
  progress(done: number, total: number): void;
};

/**
 * A kind of work in the background. It may be broken off at any moment, also by the end of its process, and is then begun
 * again: running twice must do no harm.
 */
export type JobAction = {
  /** Its name in `action` of jobs, such as `reindex`. */
  name: string;
  title: string;
  description: string;
  /** The fields of its params, in the form of `@types`: what they are validated against, and a form is made of. */
  schema: Schema;
  /** No two jobs of it run at the same time, on whatever process. */
  exclusive: boolean;
  /** Finds what is wrong with params that fit the schema. */
  check?(params: JsonObject, site: Site): FieldProblem[];
  /** Does the work. Answers what clients get as the result, a few values; undefined when there is nothing to tell. */
  run(context: JobContext): Promise<JsonObject | undefined>;
};

/** Keys beside the params of a job in answers. */
const RESERVED = ['action', 'scheduled_job'];

/** The kinds of work in the background that the features of a kernel bring. */
export class JobActions {
  readonly #actions = new Map<string, JobAction>();

  /** Adds an action. Throws when its name or that of a param is taken: a mistake of a programmer. */
  register(action: JobAction): void {
    if (this.#actions.has(action.name)) throw new Error(`There are two job actions ${action.name}`);
    const taken = RESERVED.find((name) => Object.hasOwn(action.schema.properties, name));
    if (taken !== undefined) throw new Error(`The job action ${action.name} cannot have a param "${taken}"`);
    this.#actions.set(action.name, action);
  }

  get(name: string): JobAction | undefined {
    return this.#actions.get(name);
  }

  /** All actions, in the order of their registration. */
  all(): readonly JobAction[] {
    return [...this.#actions.values()];
  }
}
