import { pathOf } from '../../scripts/lib/client.mjs';

const BATCH = 50;

/** Loads all children of a container, batch by batch; reports a wrong `items_total` and children that come twice. */
async function childrenOf(client, container, problems) {
  const children = new Map();
  const address = container === '/' ? '/' : container;
  for (let start = 0; ; start += BATCH) {
    const { body } = await client.send('GET', `${address}?b_size=${BATCH}&b_start=${start}&metadata_fields=UID`);
    for (const item of body.items) {
      const path = pathOf(item['@id']);
      if (children.has(path)) problems.push(`${path} is listed twice in ${container}`);
      children.set(path, item);
    }
    if (start + BATCH >= body.items_total) {
      if (children.size !== body.items_total) {
        problems.push(`${container} says items_total ${body.items_total} and lists ${children.size}`);
      }
      return children;
    }
  }
}

/**
 * Compares a site with the writes that it acknowledged. Returns the problems as sentences. Writes
 * that were under way at the kill may be stored or not, but no write may be stored in part.
 */
export async function checkTree(client, ledger) {
  const problems = [];
  const root = await childrenOf(client, '/', problems);
  for (const folder of ledger.folders) if (!root.has(folder)) problems.push(`The folder ${folder} is lost`);

  const seen = new Map();
  const folders = [...root].filter(
    ([, item]) => item['@type'] === 'Folder' && String(item.title).startsWith('Writer '),
  );
  for (const [folder] of folders) {
    for (const path of (await childrenOf(client, folder, problems)).keys()) {
      const { body } = await client.send('GET', path);
      if (seen.has(body.UID)) problems.push(`${path} and ${seen.get(body.UID)} have one UID`);
      seen.set(body.UID, path);
      const page = ledger.pages.get(path);
      if (page === undefined) continue;
      const titles = [page.title, ...(ledger.unsure.get(path) ?? [])];
      if (!titles.includes(body.title))
        problems.push(`${path} has the title "${body.title}", acknowledged was "${page.title}"`);
      if (page.uid !== body.UID) problems.push(`${path} has another UID than before`);
      page.title = body.title;
    }
  }
  ledger.unsure.clear();
  const found = new Set(seen.values());
  for (const path of ledger.pages.keys()) if (!found.has(path)) problems.push(`The page ${path} is lost`);
  return problems;
}
