import type { Transaction } from '../../database/database.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import type { Site } from '../configuration/site/site.ts';
import type { RuleDetails } from '../journal/event-description.ts';
import type { Caller } from '../security/caller.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { Schema } from '../types/definition.ts';
import type { Kernel } from './kernel.ts';

/** The event that a content rule follows on. `name` stands in `event` of rules, such as `onAfterAdd`. */
export type RuleEvent = RuleDetails & { name: string; title: string };

/** Context of a condition. */
export type RuleContext = {
  kernel: Kernel;
  site: Site;
  /** The rule that runs. */
  rule: { id: string; title: string };
  event: RuleEvent;
  /** The present state of the content that the event is about; the site root for events about users. */
  content: ResolvedNode;
  /** The user whose action the rule follows. */
  actor: Caller;
  /** The values of the condition or action, by its schema. */
  values: JsonObject;
};

/** Context of an action. */
export type RuleActionContext = RuleContext & {
  /** The transaction of the write. When the action fails, only the work of the action is undone. */
  tx: Transaction;
  /** The actor with the rights of a Manager, as whom the action works. */
  caller: Caller;
  /** Replaces `${title}`, `${absolute_url}`, `${user_id}` … in a text. */
  substitute(text: string): Promise<string>;
};

/** Members that conditions and actions of rules share. */
type RuleElement = {
  /** Its name in `type` of conditions and actions, and in `addview`. */
  name: string;
  /** Other names that clients send. */
  aliases?: readonly string[];
  title: string;
  description: string;
  /** The fields of its values, in the form of `@types`, for the check of values and for a form. */
  schema: Schema;
  /** Names of values that old clients send and that are ignored. */
  ignored?: readonly string[];
  /** Finds problems of values that fit the schema. */
  check?(values: JsonObject, site: Site): FieldProblem[];
  /** Describes its effect with these values, in a few English words. Content that a value names appears as a path. */
  summary(values: JsonObject): string;
};

/** A kind of conditions that rules can have. */
export type RuleCondition = RuleElement & {
  /** Says if the rule should run. It has no access to the transaction, and must be quick. An error counts as false. */
  passes(context: RuleContext): boolean | Promise<boolean>;
};

/** A kind of actions that rules can have. */
export type RuleAction = RuleElement & {
  /**
   * Does the action for one object, in the transaction of the write. The panel of the rule shows the message of an error; the rule then ends and the
   * write goes on.
   */
  run(context: RuleActionContext): Promise<void>;
};

/** The kinds of conditions and actions that the features of a kernel bring, by name. */
export const RULE_KINDS = new Slot<{
  conditions: ReadonlyMap<string, RuleCondition>;
  actions: ReadonlyMap<string, RuleAction>;
}>('conditions and actions of rules');
