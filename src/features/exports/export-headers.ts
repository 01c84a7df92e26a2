import { contentDisposition } from '../../lib/http-headers.ts';
import { asksInline } from '../../services/download/disposition.ts';
import type { RequestContext } from '../../services/service.ts';

/**
 * Headers of a document that is made of content under a file name. It depends on who asks, so no shared cache may keep
 * it for a caller with a name.
 */
export function exportHeaders({ searchParams, caller }: RequestContext, filename: string): Record<string, string> {
  return {
    'Content-Disposition': contentDisposition(asksInline(searchParams) ? 'inline' : 'attachment', filename),
    'Cache-Control': caller.id === null ? 'no-cache' : 'private, no-cache',
    Vary: 'Authorization, Cookie',
  };
}
