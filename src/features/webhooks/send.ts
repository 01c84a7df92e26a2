import type { Circuit } from '#lib/http/circuit';
import { sendRequest } from '#lib/http/outgoing-request';
import type { Trace } from '#lib/process/trace';
import { signatureHeaders } from './signature.ts';

/** A signed request to another system. `id` is the same for each attempt, so that the receiver recognizes them. */
export type SignedRequest = { id: string; url: string; method: string; body: string };

/**
 * Sends a request of a webhook or of a content rule, signed with all `secrets`. Returns the status of the response. Throws RequestNotTaken unless it
 * succeeds in time; with `circuit` no request is sent to a system that has just failed to respond. `trace` is the request that has caused this one.
 */
export const sendSigned = (
  { id, url, method, body }: SignedRequest,
  {
    secrets,
    trace,
    ...options
  }: {
    secrets: readonly string[];
    circuit: Circuit;
    isPrivateAllowed: boolean;
    trace?: Trace | undefined;
  },
): Promise<number> =>
  sendRequest(
    {
      ...{ url, method, body, trace },
      // A GET request has no body.
      headers: { 'idempotency-key': id, ...signatureHeaders({ id, body: method === 'GET' ? '' : body }, secrets) },
    },
    options,
  );
