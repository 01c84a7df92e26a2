import type { Caller } from '../security/caller.ts';
import type { ContentObject, ResolvedNode } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import type { ContentChange } from '../storage/statements/write-content.ts';
import type { ContentType } from '../types/content-type.ts';
import type { Kernel } from './kernel.ts';
import type { Site } from './site.ts';

/** New content that is about to be written. */
export type Creation = { caller: Caller; input: Record<string, unknown>; bases: readonly string[] };

/** New content that is written, in the same transaction. */
export type CreatedContent = { oid: number; type: ContentType; language: string | null };

/** What a feature does with one creation: other content that it changes along with it. */
export type CreationPart = {
  /** Path of content that is locked for a change, together with the container. */
  path: string;
  /** Changes it. `locked` is what lies at the path now; undefined when there is nothing any more. */
  complete(
    tx: Transaction,
    locked: { site: Site; resolved: ResolvedNode | undefined },
    created: CreatedContent,
  ): Promise<void>;
};

/**
 * Places in writes of the core where features take part in what is done. Events tell what has happened; hooks decide what
 * happens.
 */
export type Hooks = {
  /** Before anything is locked for a creation; undefined when the feature has nothing to do with this one. */
  creating: ((kernel: Kernel, tx: Transaction, creation: Creation) => Promise<CreationPart | undefined>)[];
  /**
   * Before the columns of locked content change: what changes with them. Throws to keep the change from happening.
   */
  changing: ((tx: Transaction, object: ContentObject, change: ContentChange) => Promise<ContentChange>)[];
};
