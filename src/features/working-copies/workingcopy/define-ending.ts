import { headerOf, LOCK_TOKEN } from '../../../services/content/represent-path.ts';
import { defineService, noContent, type Service } from '../../../services/service.ts';
import type { Kernel } from '../../../site/kernel.ts';
import type { CheckInRequest } from '../working-copy-check-in.ts';
import { CHECK_IN } from '../working-copy-rights.ts';

/** One of the two ends of a working copy, for the address of either side. */
export type Ending = {
  method: 'PATCH' | 'DELETE';
  summary: string;
  /** What has happened then, for its description. */
  done: string;
  end(kernel: Kernel, request: CheckInRequest): Promise<void>;
};

/** Declares a service after which the working copy is gone and the content is free again. */
export const defineEnding = ({ method, summary, done, end }: Ending): Service =>
  defineService({
    name: '@workingcopy',
    method,
    context: 'content',
    permission: CHECK_IN,
    summary,
    headers: LOCK_TOKEN,
    responses: {
      204: { description: done },
      409: { description: 'There is content in the working copy.' },
    },
    async run(context) {
      const { kernel, caller, resolved } = context;
      await end(kernel, { caller, path: resolved.object.path, lockToken: headerOf(context, 'lock-token') });
      return noContent();
    },
  });
