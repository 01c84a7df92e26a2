import type { Caller, Kernel, Transaction } from '#core';
import { Forbidden } from '#lib/errors';
import { publicAmong } from './statements.ts';

/** Says if an agent wrote whose writes must change nothing that visitors see. */
const isBound = ({ agent }: Caller): boolean => agent?.publishes === false;

const reject = (path: string): never => {
  throw new Forbidden(
    `Visitors may see ${path}. An agent changes what they see by a proposal, unless an administrator has allowed its token to publish.`,
  );
};

/** Objects that a transaction has touched: they alone, or with everything below them. */
type Touched = { alone: Set<number>; whole: Set<number> };

/**
 * Undoes writes of agents that would change public content, whatever its dates: a removal of content that visitors could view, and other changes of
 * content that visitors can view afterwards. Only tokens that an administrator has allowed to publish are exempt.
 */
export function keepAgentsFromPublishing({ events }: Kernel): void {
  const transactions = new WeakMap<Transaction, Touched>();
  const touch = (tx: Transaction, oid: number, extent: keyof Touched): void => {
    const known = transactions.get(tx);
    const touched = known ?? { alone: new Set(), whole: new Set() };
    touched[extent].add(oid);
    if (known) return;
    transactions.set(tx, touched);
    tx.beforeCommit(async () => {
      const path = await publicAmong(tx, { alone: [...touched.alone], whole: [...touched.whole] });
      if (path !== undefined) reject(path);
    }, 'record');
  };
  events.on('content.removing', async ({ oid }, { tx, caller }) => {
    if (!isBound(caller)) return;
    const path = await publicAmong(tx, { alone: [], whole: [oid] });
    if (path !== undefined) reject(path);
  });
  for (const name of ['content.created', 'content.modified', 'content.translated'] as const)
    events.on(name, ({ oid }, { tx, caller }) => {
      if (isBound(caller)) touch(tx, oid, 'alone');
    });
  for (const name of [
    'content.copied',
    'content.restored',
    'content.moved',
    'content.transitioned',
    'content.shared',
  ] as const)
    events.on(name, ({ oid }, { tx, caller }) => {
      if (isBound(caller)) touch(tx, oid, 'whole');
    });
  events.on('content.reordered', ({ parent }, { tx, caller }) => {
    if (isBound(caller)) touch(tx, parent, 'whole');
  });
  events.on('content.imported', ({ oids }, { tx, caller }) => {
    if (isBound(caller)) for (const oid of oids) touch(tx, oid, 'alone');
  });
}
