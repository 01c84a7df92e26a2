import type { Database, Transaction } from '../../database/database.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Log } from '../../lib/process/process.ts';
import type { Config } from '../configuration/environment/config.ts';
import type { Site, SiteRegistries } from '../configuration/site/site.ts';
import type { SiteCache } from '../configuration/site/site-cache.ts';
import type { BlobStore } from '../files/blobs/blob-store.ts';
import type { Events } from '../journal/bus.ts';
import type { Mail } from '../queue/mail/mail.ts';
import type { QueueItem } from '../queue/statements/items.ts';
import type { Caller } from '../security/caller.ts';
import type { ContentChange, ContentObject, ResolvedNode } from '../types/content-row.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Schema } from '../types/definition.ts';
import type { UpgradeSteps } from './upgrade-steps.ts';

/** The result of a check, from good to bad; a failure takes the process out of service (draft-inadarei-api-health-check). */
type HealthStatus = 'pass' | 'warn' | 'fail';

/** Observation of one check. It is public except for `output`: other members contain no paths, names or versions. */
export type Observation = {
  status: HealthStatus;
  observedValue?: number | string;
  observedUnit?: string;
  /** The problem, for managers. */
  output?: string;
};

/** A check of something that the site needs. */
export type HealthCheck = {
  /** Its key in the response, in the form `component:measurement` such as `jobs:waiting`. */
  name: string;
  componentType: 'component' | 'datastore' | 'system';
  /** Says if the check applies; always unless given. */
  isWanted?(kernel: Kernel): boolean;
  /** Milliseconds for which an observation is cached, 2,000 unless given, for any number of requests. */
  keep?: number;
  /** Makes the observation. An error, or no result in time, counts as a failure. */
  observe(kernel: Kernel): Promise<Observation>;
};

/** A kind of mail that is composed when it is sent, from an item of the queue. */
export type MailKind = {
  /** Its name in the queue, such as `password-mail`. */
  kind: string;
  /** Composes the mail; null when no mail is needed any more. */
  compose(kernel: Kernel, item: QueueItem): Promise<Mail | null>;
};

/** New content that is about to be written. */
export type Creation = { caller: Caller; input: Record<string, unknown>; bases: readonly string[] };

/** New content that is written, in the same transaction. */
type CreatedContent = { oid: number; type: ContentType; language: string | null };

/** Work of a feature in one creation: it changes other content in the same transaction. */
export type CreationPart = {
  /** Path of content that is locked for a change, together with the container. */
  path: string;
  /** Changes the content. `locked` is the object at the path now; undefined when the path is empty. */
  complete(
    tx: Transaction,
    locked: { site: Site; resolved: ResolvedNode | undefined },
    created: CreatedContent,
  ): Promise<void>;
};

/** Places where features take part in writes of the core. Events report what has happened; hooks decide what happens. */
export type Hooks = {
  /** Called before any lock for a creation. Returns undefined when the feature has no part in this creation. */
  creating: ((kernel: Kernel, tx: Transaction, creation: Creation) => Promise<CreationPart | undefined>)[];
  /** Called before the columns of locked content change. Returns further changes. Throws to prevent the change. */
  changing: ((tx: Transaction, object: ContentObject, change: ContentChange) => Promise<ContentChange>)[];
};

/** Context of a running job. */
export type JobContext = {
  /** The kernel of the job. Its database gives way to requests, and begins no further statement once the job must stop. */
  kernel: Kernel;
  /** The parameters, as validated when the job began. */
  params: JsonObject;
  /** The user who enqueued the job, with the rights of a Manager if a Manager did. */
  caller: Caller;
  /** Aborts when the job must stop, for work outside of the database, which should then throw the reason. Finished steps stay done. */
  signal: AbortSignal;
  /** Reports how much of the total is done. It is cheap, so it may be called for each step. */
  progress(done: number, total: number): void;
  /**
   * Does a part of the work in a transaction that also stores the returned `checkpoint` and progress. A job that is started again after the end of
   * its process gets the last checkpoint; an empty object at first. The transaction is rolled back when another process has taken over the job
   * meanwhile, so that committed work was done only once. `runInBatches` is the ordinary way to use it.
   */
  step<S extends JobStep>(work: (tx: Transaction, checkpoint: JsonObject) => Promise<S>): Promise<S>;
};

/** Result of a step of a job. The checkpoint is a few values of JSON. */
export type JobStep = { checkpoint: JsonObject; done: number; total: number };

/** A kind of work in the background. It may end at any moment, also with its process, and is then begun again, so running twice must do no harm. */
export type JobAction = {
  /** Its name in `action` of jobs, such as `reindex`. */
  name: string;
  title: string;
  description: string;
  /** The fields of its parameters, in the form of `@types`, for their validation and for a form. */
  schema: Schema;
  /** True if no two jobs of this action may run at the same time in any processes. */
  exclusive: boolean;
  /** Finds problems of parameters that fit the schema. */
  check?(params: JsonObject, site: Site): FieldProblem[];
  /** Does the work. Returns the result for clients, a few values; undefined for none. */
  run(context: JobContext): Promise<JsonObject | undefined>;
};

/**
 * A job of a feature that starts by itself. The start makes the job if the site has no job with this id; from then on the job belongs to the site,
 * and Managers change and disable it in `@scheduled-jobs`. A removed job comes back with the next start.
 */
export type FeatureSchedule = {
  /** 1 to 100 letters, digits and any of `_.-`; begin it with the name of the feature. */
  id: string;
  title: string;
  description?: string;
  /** The name of a job action. */
  action: string;
  params?: JsonObject;
  /** A cron expression of five fields, in UTC. */
  schedule: string;
};

/** Keys beside the params of a job in responses. */
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

/** Declarations of the features for the layers up to this one, collected once for each kernel. */
export type Registries = SiteRegistries & {
  jobActions: JobActions;
  upgradeSteps: UpgradeSteps;
  /** Health checks by their keys in the response, such as `jobs:waiting`. */
  healthChecks: ReadonlyMap<string, HealthCheck>;
};

/** Resources that all parts of the server share, with the declarations of its features. Each process has one. */
export type Kernel = Registries & {
  config: Config;
  log: Log;
  db: Database;
  blobs: BlobStore;
  sites: SiteCache;
  events: Events;
  hooks: Hooks;
};
