import { defineMiddleware } from 'astro:middleware';
import { keptPage } from './lib/kept-pages.ts';

/** Pages of content are kept; drafts, searches, and pages while somebody works on this site are not. */
export const onRequest = defineMiddleware(({ request: { method }, url, routePattern }, next) =>
  import.meta.env.PROD && method === 'GET' && url.search === '' && routePattern === '/[...path]'
    ? keptPage(url.pathname, next)
    : next(),
);
