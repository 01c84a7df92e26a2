import { createContent } from '../../src/core/content/create-content.ts';
import { transitionContent } from '../../src/core/content/transition-content.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { type Caller, callerFor } from '../../src/core/security/caller.ts';
import { PAGE } from '../support/profiles.ts';

/** A caller with all rights and any user name. */
export const manager = (id = 'admin'): Caller =>
  callerFor({ id, login: id, fullname: '', roles: ['Manager'], groups: [] });

const TRANSITIONS = { private: undefined, pending: 'submit', published: 'publish' };

export type Made = { '@type'?: string; id: string; [field: string]: unknown };

/** Creates content without HTTP, in a state, owned by `owner`. Returns its path. */
export async function make(
  kernel: Kernel,
  container: string,
  input: Made,
  { state = 'private', owner = 'admin' }: { state?: keyof typeof TRANSITIONS; owner?: string } = {},
): Promise<string> {
  const caller = manager(owner);
  const body = { '@type': PAGE, title: input.id, ...input };
  const { path } = await createContent(kernel, { caller, container, input: body, bases: [] });
  const transition = TRANSITIONS[state];
  if (transition !== undefined) await transitionContent(kernel, { caller, path, transition });
  return path;
}
