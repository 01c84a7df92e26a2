// Actions of users in Volto, by its own ids and names.
import assert from 'node:assert/strict';

/** Waits until the page of a logged-in user reacts to clicks. */
async function ready(page) {
  await page.waitForSelector('#toolbar .toolbar-actions');
  await page.waitForLoadState('networkidle');
}

/** Opens an address and waits until the page reacts to clicks. */
export async function visit(page, path) {
  const response = await page.goto(path);
  assert.equal(response.status(), 200, `${path} is ${response.status()}`);
  await ready(page);
}

/** Opens a form and waits until it can be filled. */
export async function openForm(page, path) {
  await page.goto(path);
  await page.waitForSelector('#toolbar-save');
  await page.waitForLoadState('networkidle');
}

/** Writes the title in the layout editor, or in the field of a form without one. */
export async function fillTitle(page, text) {
  const title = page.locator('.block.inner.title [contenteditable=true]');
  if ((await title.count()) > 0) {
    await title.first().click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  } else await page.fill('#field-title', text);
}

/** Saves a form and waits until it is closed, at `path`, when that is given. */
export async function save(page, path) {
  await page.click('#toolbar-save');
  if (path !== undefined) await page.waitForURL((url) => url.pathname === path);
  await page.waitForSelector('#toolbar-save', { state: 'detached' });
  await ready(page);
}

/** Waits until the text is on the page. */
export const see = (page, text) => page.getByText(text, { exact: false }).first().waitFor();

/** Waits for the response to a request of the page, and returns it. */
export const answered = (page, method, part) =>
  page.waitForResponse((response) => response.request().method() === method && response.url().includes(part));

/** The blocks of a page: a title block and the given ones. */
export function blocksOf(...blocks) {
  const all = [{ '@type': 'title' }, ...blocks];
  return {
    blocks: Object.fromEntries(all.map((block, index) => [`b${index}`, block])),
    blocks_layout: { items: all.map((_, index) => `b${index}`) },
  };
}

/** A block of text. */
export const text = (words, children = [{ text: words }]) => ({
  '@type': 'slate',
  plaintext: words,
  value: [{ type: 'p', children }],
});

/** The contents of a folder, with the rows of these titles chosen. */
export async function choose(page, path, titles) {
  await visit(page, `${path}/contents`);
  for (const title of titles)
    await page.locator('tr', { hasText: title }).first().locator('td').nth(1).locator('svg').click();
}
