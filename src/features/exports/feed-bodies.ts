import { findContents, isOpen, type RenderContext, representation, siteSettings } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { xmlText } from './rss.ts';

/** An object of a feed. */
type Item = { type: string; fields: JsonObject };

/** Maximum characters of all texts of a feed: later items have no text. */
const MAX_LENGTH = 2_000_000;

/** The body of an object: its formatted text, if everybody who may view the object may read it. */
const textField = ({ site }: RenderContext, { type }: Item) => {
  const field = site.types.get(type)?.fieldByName.get('text');
  return field && isOpen(field) ? field : undefined;
};

/** The words of each block as a paragraph, in the order of the page. */
function blockParagraphs(
  { kernel, site }: RenderContext,
  { type, fields: { blocks, blocks_layout: layout } }: Item,
): string {
  const field = site.types.get(type)?.fieldByName.get('blocks');
  const ids = isJsonObject(layout) && Array.isArray(layout.items) ? layout.items : [];
  if (!field || !isOpen(field) || !isJsonObject(blocks)) return '';
  const { words } = kernel.fieldKinds.of(field);
  const texts = ids.map((id) => {
    const block = typeof id === 'string' && Object.hasOwn(blocks, id) ? blocks[id] : undefined;
    // The item has the title already.
    if (!isJsonObject(block) || block['@type'] === 'title') return '';
    return words?.({ block }, field, { blocks_layout: { items: ['block'] } }).trim() ?? '';
  });
  return texts.flatMap((text) => (text === '' ? [] : [`<p>${xmlText(text)}</p>`])).join('');
}

function bodyOf(context: RenderContext, item: Item, target: ReturnType<typeof representation.visibleTargets>): string {
  const { kernel, site } = context;
  const field = textField(context, item);
  const stored = field ? item.fields.text : undefined;
  if (!field || stored === undefined || stored === null) return blockParagraphs(context, item);
  const served = kernel.fieldKinds.of(field).serialize?.(stored, field, {
    ...{ objectUrl: '', target, termTitle: () => undefined, scales: siteSettings.scales(site) },
    ...{ mayEdit: false, slots: kernel.slots },
  });
  if (!isJsonObject(served) || typeof served.data !== 'string') return '';
  return served['content-type'] === 'text/plain' ? `<p>${xmlText(served.data)}</p>` : served.data;
}

/** The bodies of objects as HTML by their numbers, with the addresses of their link targets. Two statements for the objects, one for all links. */
export async function feedBodies(
  context: RenderContext,
  found: readonly { oid: number }[],
): Promise<ReadonlyMap<number, string>> {
  const objects = await findContents(context.db, { oids: found.map(({ oid }) => oid) });
  const items = objects.map(({ object }) => object);
  const uids = new Set<string>();
  for (const item of items) {
    const field = textField(context, item);
    const stored = item.fields.text;
    if (!field || stored === undefined || stored === null) continue;
    for (const uid of context.kernel.fieldKinds.of(field).uids?.(stored, field) ?? []) uids.add(uid);
  }
  const target = representation.visibleTargets(await representation.loadTargets(context, uids));
  let left = MAX_LENGTH;
  const bodies = new Map<number, string>();
  for (const item of items) {
    const body = bodyOf(context, item, target);
    left -= body.length;
    if (left < 0) break;
    bodies.set(item.oid, body);
  }
  return bodies;
}
