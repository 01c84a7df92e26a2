import type { Readable } from 'node:stream';
import type { JsonObject } from '#lib/json-object';
import type { ApplyReport } from '../apply/apply-run.ts';
import type { ObjectForm } from '../forms/object-form.ts';
import type { ConflictRule } from '../forms/plan.ts';
import type { ReadablePlan } from '../forms/plan-entries.ts';
import type { Scope } from '../forms/scope.ts';

/** The files of a set-up by their paths in the folder of a profile, and lines about what is not in them. */
export type SetupForm = { files: ReadonlyMap<string, unknown>; notes: readonly string[] };

/** How a plan is applied to a place. */
export type Application = {
  plan: ReadablePlan;
  rule: ConflictRule;
  dryRun: boolean;
  /** Opens a file of the plan; undefined where it did not come along. */
  open(hash: string): Promise<Readable | undefined>;
};

/** Something that has content and a set-up: a folder, an export, the data of a site, or a site at an address. */
export type Place = {
  /** Its name for people. */
  label: string;
  /** The objects of a part of it, in no order, as they are read: never all in memory. */
  objects(scope: Scope): AsyncIterable<ObjectForm>;
  /** Objects by their UIDs, in no order. Those that are not there are missing. */
  load(uids: readonly string[]): Promise<ObjectForm[]>;
  setup(): Promise<SetupForm>;
  /** Opens a file of an object. Throws ConfigError for one that is not there. */
  file(hash: string, uid: string): Promise<Readable>;
  /** Hands a plan in for approval, and returns the address of the proposal; absent where nobody approves. */
  propose?(application: Omit<Application, 'dryRun'>, words: { title: string; comment: string }): Promise<string>;
  /** Applies a plan; absent where nothing can be applied. */
  apply?(application: Application): Promise<ApplyReport>;
  close(): Promise<void>;
};

/** Reads a member of an answer that must be there. */
export const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? (object as JsonObject)[name] : undefined;
