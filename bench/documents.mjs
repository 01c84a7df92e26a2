import { randomUUID } from 'node:crypto';

const WORDS =
  'forest harbour council minutes annual report river bridge teacher library open data garden winter festival music theatre road repair water energy school market region museum history science health travel budget election meeting project research village station summer archive craft bakery'.split(
    ' ',
  );

/** Random numbers from 0 to 1, the same in each run (mulberry32), so that two runs measure the same documents. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function words(random, count) {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}

function sentence(random, count) {
  const text = words(random, count);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function slate(type, children) {
  const plaintext = children.map((child) => child.text ?? child.children[0].text).join('');
  return { '@type': 'slate', value: [{ type, children }], plaintext };
}

function paragraph(random) {
  const link = { type: 'link', data: { url: 'https://www.example.org/' }, children: [{ text: words(random, 2) }] };
  return slate('p', [{ text: `${sentence(random, 18)} ` }, link, { text: ` ${sentence(random, 24)}` }]);
}

/** A page as an editor would write it: a title block, a heading and, unless another number is given, three to eight paragraphs with links. */
export function page(random, title = sentence(random, 4), paragraphs = 3 + Math.floor(random() * 6)) {
  const blocks = [{ '@type': 'title' }, slate('h2', [{ text: sentence(random, 5) }])];
  for (let left = paragraphs; left > 0; left -= 1) blocks.push(paragraph(random));
  const entries = blocks.map((block) => [randomUUID(), block]);
  return {
    '@type': 'Page',
    title,
    description: sentence(random, 14),
    subjects: [words(random, 1), words(random, 1)],
    blocks: Object.fromEntries(entries),
    blocks_layout: { items: entries.map(([id]) => id) },
  };
}

/** A folder without children. */
export function folder(random, title = sentence(random, 2)) {
  return { '@type': 'Folder', title, description: sentence(random, 10) };
}
