import { panelSettings } from '../configuration/panels/panel.ts';
import { corsPanel } from '../configuration/panels/security.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Service } from '../services/service.ts';

/** The rules for pages of other origins that call the API, from the settings `cors` of the site. */
export type CorsPolicy = {
  allowOrigin: string[];
  allowMethods: string[];
  allowHeaders: string[];
  exposeHeaders: string[];
  allowCredentials: boolean;
  /** Seconds that a browser may keep the response to a preflight request. */
  maxAge: number;
};

/** Headers of writes that are sent again: pages that may write may do it safely. */
const WRITE_HEADERS = { sent: ['Idempotency-Key'], exposed: ['Idempotency-Replayed'] };

/** Names of headers, each once. */
const joined = (...lists: (readonly string[])[]): string[] => [
  ...new Map(lists.flat().map((name) => [name.toLowerCase(), name])).values(),
];

/**
 * The policy of the site for an address. It includes the headers of the services there, without a setting: a page that may call a service may send
 * and read its headers.
 */
export function corsPolicy(site: Site, services: readonly Pick<Service, 'crossOrigin'>[] = []): CorsPolicy {
  const settings = panelSettings(site, corsPanel);
  const needed = services.flatMap(({ crossOrigin }) => crossOrigin ?? []);
  return {
    allowOrigin: settings.allow_origin,
    allowMethods: settings.allow_methods,
    allowHeaders: joined(
      settings.allow_headers,
      WRITE_HEADERS.sent,
      ...needed.map(({ requestHeaders }) => requestHeaders),
    ),
    exposeHeaders: joined(
      settings.expose_headers,
      WRITE_HEADERS.exposed,
      ...needed.map(({ responseHeaders }) => responseHeaders),
    ),
    allowCredentials: settings.allow_credentials,
    maxAge: settings.max_age,
  };
}

/** Headers of a response to a page of `origin`; none when the policy does not allow it (plone.restapi §1.6). */
export function corsHeaders(policy: CorsPolicy, origin: string | undefined): Record<string, string> {
  const any = policy.allowOrigin.includes('*');
  const vary: Record<string, string> = any && !policy.allowCredentials ? {} : { Vary: 'Origin' };
  if (origin === undefined || !(any || policy.allowOrigin.includes(origin))) return vary;
  // Credentials for any origin would give every page the session of a visitor.
  const credentials = policy.allowCredentials && !any;
  return {
    ...vary,
    'Access-Control-Allow-Origin': any ? '*' : origin,
    ...(credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    'Access-Control-Expose-Headers': policy.exposeHeaders.join(', '),
  };
}

/** Headers for a preflight; undefined when origin, method and headers are not all allowed. */
export function preflightHeaders(
  policy: CorsPolicy,
  { origin, method, headers }: { origin: string | undefined; method: string | undefined; headers: string | undefined },
): Record<string, string> | undefined {
  const base = corsHeaders(policy, origin);
  // A client that may send GET may also send HEAD; browsers need no header for it.
  const asked = method === 'HEAD' ? 'GET' : method;
  if (!base['Access-Control-Allow-Origin'] || !asked || !policy.allowMethods.includes(asked)) return undefined;
  const known = new Set(policy.allowHeaders.map((name) => name.toLowerCase()));
  const names = (headers ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  if (!names.every((name) => known.has(name))) return undefined;
  return {
    ...base,
    'Access-Control-Allow-Methods': policy.allowMethods.join(', '),
    'Access-Control-Allow-Headers': policy.allowHeaders.join(', '),
    'Access-Control-Max-Age': String(policy.maxAge),
  };
}
