import { COMPONENTS } from '../../../src/core/serializer/components.ts';
import { routesOf } from '../../../src/core/services/openapi/document.ts';
import { expectedOf, type Row } from '../../security/matrix/row.ts';
import { ROWS } from '../../security/matrix/rows.ts';
import type { Scene } from '../../security/matrix/scene.ts';
import { makeThings, requestOf } from '../../security/matrix/things.ts';

const COMMENTS = 'portal_type=Discussion+Item';
/** Searches and lists that show more than a usual one: columns that are loaded apart, whole objects, results that are not content. */
const BROAD = [
  '/@search?SearchableText=page&hl=true&facet_fields=portal_type,review_state,Creator&metadata_fields=_all',
  `/@search?${COMMENTS}&fullobjects=1`,
  `/@search?${COMMENTS}&review_state=pending`,
];

const withQuery = (address: string, query: string): string => `${address}${address.includes('?') ? '&' : '?'}${query}`;

/** The representation of what is at an address with all that can be put into it. */
export const wholeOf = ({ site: { kernel } }: Scene, path: string): string[] => {
  const expand = [...kernel.slots.get(COMPONENTS).keys()].join(',');
  return [withQuery(path, `expand=${expand}&metadata_fields=_all`), withQuery(path, 'fullobjects=1')];
};

/** The operations that read and whose responses are kept, as the matrix of permissions calls them. */
const keptOperations = ({ site }: Scene): Set<string> =>
  new Set(
    routesOf(site.server.services.all())
      .filter(({ method, services }) => method === 'GET' && services.some(({ cacheable }) => cacheable))
      .map(({ method, template }) => `${method} ${template}`),
  );

/** The rows of the matrix that read what is kept, where somebody gets it. */
const keptRows = (scene: Scene): Row[] => {
  const kept = keptOperations(scene);
  return ROWS.filter((row) => kept.has(row.ask) && row.headers === undefined).filter((row) =>
    expectedOf(row, 'published').some(({ status }) => status === 200),
  );
};

/** Returns the addresses that show most: whole representations, and searches and lists with everything. */
export const broadAddresses = (scene: Scene): string[] => [
  ...wholeOf(scene, '/'),
  ...wholeOf(scene, scene.page().path),
  ...BROAD,
];

/** The addresses of all rows that read what is kept, and the broad ones. */
export async function readAddresses(scene: Scene): Promise<string[]> {
  const caller = scene.callers.at(-1);
  if (!caller) throw new Error('The scene has no callers');
  const addresses: string[] = [];
  for (const row of keptRows(scene))
    addresses.push(requestOf(scene, row, { caller, things: await makeThings(scene, row, caller) }).address);
  return [...new Set([...addresses, ...broadAddresses(scene)])];
}
