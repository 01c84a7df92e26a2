/** Parameters that choose a part of a list, or its order: the address of the list is without them (plone.restapi, Q03). */
const WINDOW = ['b_start', 'b_size', 'sort_on', 'sort_order', 'sort_limit'];

/** The address of a list of results: what it is a list of, whichever part of it is shown. */
export function resultsAddress(url: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  for (const name of WINDOW) {
    rest.delete(name);
    rest.delete(`${name}:list`);
    rest.delete(`${name}:int`);
  }
  const text = rest.toString();
  return text === '' ? url : `${url}?${text}`;
}
