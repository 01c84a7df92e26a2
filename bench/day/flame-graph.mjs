/** Size of the picture and of its rows, and the smallest part that is drawn, in points. */
const WIDTH = 1200;
const ROW = 17;
const HEAD = 30;
const MIN_WIDTH = 1;
/** Width of a character in points; names are cut to what fits. */
const CHARACTER = 6.2;

/** Colours by where the code of a frame stands. */
const COLOURS = [
  [/· src\/database\//, '#f2b880'],
  [/· src\//, '#f0d78c'],
  [/· (?:native|engine)$/, '#c9ccd6'],
  [/· node:/, '#d3e0c4'],
  [/./, '#bfd8e6'],
];

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** The tree of folded stacks: each frame with the microseconds of it and of what it calls. */
function treeOf(folded) {
  const root = { name: 'all work', value: 0, children: new Map() };
  for (const line of folded) {
    const end = line.lastIndexOf(' ');
    const value = Number(line.slice(end + 1));
    let node = root;
    node.value += value;
    for (const name of line.slice(0, end).split(';')) {
      const child = node.children.get(name) ?? { name, value: 0, children: new Map() };
      node.children.set(name, child);
      child.value += value;
      node = child;
    }
  }
  return root;
}

/** The frames that are wide enough to be drawn, with their places. Frames that are called stand above, in the order of their names. */
function* placed(node, { left, level, scale }) {
  yield { name: node.name, value: node.value, left, level, width: node.value * scale };
  let at = left;
  for (const child of [...node.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const width = child.value * scale;
    if (width >= MIN_WIDTH) yield* placed(child, { left: at, level: level + 1, scale });
    at += width;
  }
}

/** Draws folded stacks (`frame;frame microseconds`) as a flame graph in SVG: the width of a frame is its share of the work. */
export function flameGraph(folded, title) {
  const root = treeOf(folded);
  const frames = [...placed(root, { left: 0, level: 0, scale: WIDTH / root.value })];
  const levels = Math.max(...frames.map(({ level }) => level)) + 1;
  const height = HEAD + levels * ROW;
  const draw = ({ name, value, left, level, width }) => {
    const y = height - (level + 1) * ROW;
    const [, colour] = COLOURS.find(([pattern]) => pattern.test(`· ${name.split(' · ').at(-1)}`));
    const share = `${((100 * value) / root.value).toFixed(1)} %`;
    const room = Math.floor((width - 4) / CHARACTER);
    const label = room < 4 ? '' : name.length > room ? `${name.slice(0, room - 1)}…` : name;
    const text = label === '' ? '' : `<text x="${(left + 2).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`;
    const box = `x="${left.toFixed(1)}" y="${y}" width="${Math.max(0.5, width - 0.5).toFixed(1)}" height="${ROW - 1}"`;
    return `<g><title>${escaped(name)}: ${share}</title><rect ${box} fill="${colour}"/>${text}</g>`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="19" font-size="14" text-anchor="middle">${escaped(title)}</text>`,
    ...frames.map(draw),
    '</svg>',
    '',
  ].join('\n');
}
