import type { RequestContext } from '#core';
import type { Tool } from '../tool.ts';
import { describingTools } from './describing.ts';
import { proposingTools } from './proposing.ts';
import { readingTools } from './reading.ts';
import { writingTools } from './writing.ts';

const TOOLS: readonly Tool[] = [...readingTools, ...describingTools, ...proposingTools, ...writingTools];

/**
 * The tools that a caller gets. Visitors read; people with a whole token or a password propose, as the tools that write are for tokens that have
 * the scope `write` only.
 */
export function toolsFor({ caller, authentication }: Pick<RequestContext, 'caller' | 'authentication'>): Tool[] {
  if (caller.id === null) return TOOLS.filter(({ scope }) => scope === 'read');
  const scopes = authentication.limits?.scopes ?? ['read', 'propose'];
  return TOOLS.filter(({ scope }) => scopes.includes(scope));
}
