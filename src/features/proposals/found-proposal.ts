import { accounts, type Caller, callers, findContents, type Kernel, type RequestContext, type Site } from '#core';
import { NotFound } from '#lib/errors';
import { proposalSettings } from './panel.ts';
import { wholeJson } from './proposal-json.ts';
import { parseRequests } from './requests.ts';
import { Reader, rehearsing } from './rights.ts';
import { listComments } from './statements/comments.ts';
import { findProposal, type ListedProposal, type StoredProposal } from './statements/proposals.ts';
import { tryOut } from './trial.ts';

/** A proposal for a reader who sees it. */
export type FoundProposal = { proposal: StoredProposal; reader: Reader };

/** The reader of some proposals, with the objects that they touch. */
export async function readerOf(
  { kernel, site, caller }: { kernel: Kernel; site: Site; caller: Caller },
  proposals: readonly Pick<ListedProposal, 'targets'>[],
): Promise<Reader> {
  const uids = [...new Set(proposals.flatMap(({ targets }) => targets.map(({ uid }) => uid)))];
  return new Reader(site, caller, await findContents(kernel.db, { uids }));
}

/** A proposal that the caller sees. Throws NotFound for other proposals and for unknown ids. */
export async function requireProposal(
  context: RequestContext<object, object, object>,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<FoundProposal> {
  const proposal = id.includes('\0') ? undefined : await findProposal(context.kernel.db, id, { isLocked });
  const reader = proposal && (await readerOf(context, [proposal]));
  if (!proposal || !reader?.sees(proposal)) throw new NotFound(`/@proposals/${id}`);
  return { proposal, reader };
}

/** The user who has handed a proposal in, with the rights of now; those of nobody where the user is disabled. */
export async function creatorOf(
  { db }: Pick<Kernel, 'db'>,
  { creator }: Pick<ListedProposal, 'creator'>,
): Promise<Caller> {
  const account = await accounts.load(db, creator);
  return account?.caller ?? callers.of({ id: creator, login: creator, fullname: '', roles: [], groups: [] });
}

/** The proposer with the rights of the approver. */
export const approvalOf = (creator: Caller, approver: Caller, { id }: Pick<ListedProposal, 'id'>): Caller =>
  callers.actingFor(creator, approver, {
    kind: 'proposal',
    id,
    ...(approver.id === null || approver.id === creator.id ? {} : { approvedBy: approver.id }),
  });

/** Says if the reader may approve the proposal, as far as its objects decide. */
export const mayApprove = (reader: Reader, proposal: ListedProposal): boolean =>
  reader.mayDo(proposal) && (proposalSettings(reader.site).self_approval || !reader.isCreator(proposal));

/** The response for a proposal: while it is pending with what would happen now, by the rights of the reader who may approve it. */
export async function respondWhole(context: RequestContext, { proposal, reader }: FoundProposal) {
  const { kernel, site, caller } = context;
  const comments = await listComments(kernel.db, proposal.id);
  const mayDo = mayApprove(reader, proposal);
  if (proposal.state !== 'pending') return wholeJson(context, reader, { proposal, comments, mayApprove: false });
  const creator = await creatorOf(kernel, proposal);
  const actor = reader.mayDo(proposal)
    ? approvalOf(creator, caller, proposal)
    : rehearsing(site, reader.isCreator(proposal) ? caller : creator, { merges: true });
  const trial = await tryOut(context, parseRequests(proposal.requests), { actor, reader: caller });
  return wholeJson(context, reader, { proposal, comments, trial, mayApprove: mayDo });
}
