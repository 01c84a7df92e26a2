import type { Kernel } from '../kernel/kernel.ts';
import type { Account } from '../people/accounts.ts';
import type { Authentication } from '../people/authenticate.ts';
import type { ServiceResponse } from './response.ts';
import type { RequestContext, RequestPart, Service } from './service.ts';

/** The checks of a request that is a part of other work, see `performPart`. */
type PartChecks = {
  admit?(service: Service, context: RequestContext): void | Promise<void>;
  passesLocks?: boolean;
};

/** A way to send requests to the site as parts of one transaction, each in the name of a caller of its own. */
export type RequestsWithin = {
  /** The kernel of the transaction. */
  kernel: Kernel;
  /** The address of the site, for references and links. */
  base: string;
  /** The same with another kernel, which is within the same transaction. */
  using(kernel: Kernel): RequestsWithin;
  perform(authentication: Authentication, part: RequestPart, checks?: PartChecks): Promise<ServiceResponse>;
};

/** The authentication of a user in whose name the server acts. The user has not logged in. */
export const onBehalfOf = (account: Account): Authentication => ({
  caller: account.caller,
  account,
  token: null,
  limits: null,
  inPerson: false,
  until: Number.POSITIVE_INFINITY,
});

/** Sends requests as parts of the request in work, which is done `together`. `context` is that of a rehearsal in it where there is one. */
export function partsOf(context: RequestContext): RequestsWithin {
  const { kernel, base, performPart } = context;
  if (!performPart) throw new Error('Requests are parts of one that is done in a transaction');
  return {
    kernel,
    base,
    using: (other) => partsOf({ ...context, kernel: other, db: other.db, auth: { ...context.auth, db: other.db } }),
    perform: (authentication, part, checks) =>
      performPart(part, { ...checks, within: { ...context, caller: authentication.caller, authentication } }),
  };
}
