import { panelSettings, panels, type RequestContext, requests } from '#core';

/** Names of this machine, under which no other machine can stand. */
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Says if a page of the origin in a request may send it: one of the public address of the site (`PUBLIC_URL`), of those that the settings `cors`
 * name, or of this machine. The host that the request was sent to proves nothing: the name of another site may lead to this machine (DNS
 * rebinding). Programs send no origin.
 */
export function isKnownOrigin(context: Pick<RequestContext, 'headers' | 'kernel' | 'site'>): boolean {
  const origin = requests.headerOf(context, 'origin');
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { publicUrl } = context.kernel.config;
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true;
  const { allow_origin: allowed } = panelSettings(context.site, panels.cors);
  return allowed.includes('*') || allowed.includes(origin) || LOCAL.has(new URL(origin).hostname);
}
