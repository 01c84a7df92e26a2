/** Where the reader is: the address below the page, and how links lead to others. */

import { PAGE_PATH } from './site.ts';
import { createStore } from './store.ts';

export type Route = { view: string; item: string | undefined; part: string | undefined; query: URLSearchParams };

function routeOf({ pathname, search }: Location): Route {
  const [view = '', item, part] = pathname
    .slice(PAGE_PATH.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent);
  return { view, item, part, query: new URLSearchParams(search) };
}

export const route = createStore(routeOf(location));

/** Asked before the reader leaves a page; returns false to stay. */
let mayLeave: (() => boolean) | undefined;
/** Has the reader asked before the page is left, while something in it is not saved. */
export function guardLeaving(guard: (() => boolean) | undefined): void {
  mayLeave = guard;
}

/** The address of a view. */
export function linkTo(
  view: string | readonly string[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const segments = (typeof view === 'string' ? [view] : view).filter((segment) => segment !== '');
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  return `${[PAGE_PATH, ...segments.map(encodeURIComponent)].join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Goes to an address of the page. `replace` leaves the present one out of the history of the browser. */
export function go(address: string, { replace = false }: { replace?: boolean } = {}): void {
  if (mayLeave && !mayLeave()) return;
  mayLeave = undefined;
  const before = route.get();
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  route.set(routeOf(location));
  if (
    before.view !== route.get().view ||
    before.item !== route.get().item ||
    before.query.get('path') !== route.get().query.get('path')
  )
    scrollTo(0, 0);
}

addEventListener('popstate', () => route.set(routeOf(location)));
addEventListener('beforeunload', (event) => {
  if (mayLeave) event.preventDefault();
});
