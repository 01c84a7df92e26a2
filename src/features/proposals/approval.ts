import { message, type RequestContext, requestBatches, type Service } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject } from '#lib/json-object';
import { requireAllowed } from './allowed-writes.ts';
import { approvalOf, creatorOf } from './found-proposal.ts';
import { parseRequests, preferring } from './requests.ts';
import type { StoredProposal } from './statements/proposals.ts';

/** Characters of a note in the history. */
const MAX_NOTE = 1000;

/** The result of one request: where what it has made is. */
export type Result = { request: number; status: number; '@id'?: string };

/** The choices of an approval: some requests or all, and the side that counts at conflicts. */
export type Approval = {
  numbers?: readonly number[] | undefined;
  prefer?: 'mine' | 'theirs' | undefined;
  /** Locks of editors do not count: for what is rolled back. */
  passesLocks?: boolean;
};

/** The note of a version that an approval makes. */
const noteOf = (creator: string, approver: string): string =>
  message(`Proposed by ${creator}, approved by ${approver}.`);

/** A request with a note for the history, behind the words of its own. */
export function withNote(request: requestBatches.Request, note: string): requestBatches.Request {
  const { method, path, body = {} } = request;
  if (method === 'DELETE') return request;
  const [address = ''] = path.split('?');
  const service = /\/(@[^/]*)/.exec(address)?.[1];
  const name = service === undefined ? 'changeNote' : service === '@workflow' ? 'comment' : undefined;
  if (name === undefined) return request;
  const own = body[name];
  const words =
    typeof own === 'string' && own.trim() !== '' ? `${own.trim().slice(0, MAX_NOTE - note.length - 1)} ${note}` : note;
  return { ...request, body: { ...body, [name]: words } };
}

/** The numbers of the requests to be done. Throws BadRequest for one that there is not. */
function wantedOf(requests: readonly unknown[], numbers: readonly number[] | undefined): number[] {
  const all = [...requests.keys()];
  const wanted = numbers === undefined ? all : all.filter((number) => numbers.includes(number));
  const unknown = numbers?.find((number) => number >= requests.length);
  if (unknown !== undefined)
    throw new BadRequest(
      `The proposal has no request ${unknown}: they are counted from 0, and it has ${requests.length}.`,
    );
  return wanted;
}

/** The addresses of the objects that a request has made, moved or copied, by its response. */
function madeBy({ headers, body }: requestBatches.Response): string[] {
  const { Location: location } = headers;
  const entries = Array.isArray(body) ? body.filter(isJsonObject) : [];
  return [location, ...entries.map(({ target }) => target)].filter((address) => typeof address === 'string');
}

/**
 * Does the requests of a proposal with the rights of the caller and in the name of its creator, in the transaction of the context. Throws what
 * the first throws that cannot be done.
 */
export async function performApproved(
  context: RequestContext,
  proposal: StoredProposal,
  { numbers, prefer, passesLocks = false }: Approval,
): Promise<{ results: Result[]; done: number[]; made: string[] }> {
  const { kernel, caller, authentication, base, performPart } = context;
  if (!performPart) throw new Error('A proposal is approved in a transaction');
  const creator = await creatorOf(kernel, proposal);
  const actor = approvalOf(creator, caller, proposal);
  const within = { ...context, caller: actor, authentication: { ...authentication, caller: actor } };
  const note = noteOf(creator.fullname || proposal.creator, caller.fullname || (caller.id ?? ''));
  const requests = parseRequests(proposal.requests).map((request) => withNote(preferring(request, prefer), note));
  const wanted = wantedOf(requests, numbers);
  const responses = await requestBatches.perform(requests, {
    base,
    isWanted: (number) => wanted.includes(number),
    perform: (part) =>
      performPart(part, {
        within,
        passesLocks,
        admit(service: Service, { searchParams }) {
          const sent = new URLSearchParams(searchParams);
          sent.delete('on_conflict');
          requireAllowed(service, { searchParams: sent });
        },
      }),
  });
  const results = [...responses].map(([request, { status, headers }]): Result => {
    const { Location: location } = headers;
    return { request, status, ...(typeof location === 'string' ? { '@id': location } : {}) };
  });
  return { results, done: wanted, made: [...responses.values()].flatMap(madeBy) };
}
