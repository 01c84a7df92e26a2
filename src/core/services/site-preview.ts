import type { Kernel } from '../kernel/kernel.ts';
import type { ProofRequest } from '../people/authenticator.ts';
import type { RequestsWithin } from './requests-within.ts';

/** The work after which a request is to see the site. */
export type PreviewWork = (requests: RequestsWithin) => Promise<void>;

/**
 * A way to show the site as it would be, which a feature brings. The work is done in a transaction that is rolled back, before the request is
 * responded to in the same transaction: its caller sees what it would see if the work were done. Only requests that read have previews.
 */
export type SitePreview = {
  /** Names of parameters of the query that it reads, of plain letters. Responses to requests with one of them are cached nowhere. */
  parameters: readonly string[];
  /**
   * Returns the work for the token in a request, null for a token that stands for no work any more, and undefined for a request without a token of
   * this kind, which must cost next to nothing. Throws Forbidden for a token that is not good.
   */
  find(
    kernel: Kernel,
    request: Pick<ProofRequest, 'authorization' | 'parameter'>,
    now: Date,
  ): Promise<PreviewWork | null | undefined>;
};
