import type { RequestContext, Transaction } from '#core';
import type { ProposalChange } from './events.ts';
import type { ListedProposal } from './statements/proposals.ts';

/** Emits the event of a change of a proposal. */
export const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  { id, creator, targets }: Pick<ListedProposal, 'id' | 'creator' | 'targets'>,
  change: ProposalChange,
): Promise<void> =>
  kernel.events.emit('proposal.changed', { id, change, creator, path: targets[0]?.path ?? '/' }, { tx, caller });
