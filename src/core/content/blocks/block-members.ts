import { type TProperties, Type } from 'typebox';
import { Address, Extensible } from '../../../lib/schema/shapes.ts';
import { Summary } from '../../types/value-shapes.ts';

/** A component by its name, for schemas that refer to themselves. */
const component = (name: string) => Type.Unsafe({ $ref: `#/components/schemas/${name}` });

/** A node of rich text: a text, or an element with further nodes. */
const SlateNode = Extensible(
  {
    text: Type.Optional(Type.String({ description: 'The text of a leaf.' })),
    type: Type.Optional(Type.String({ description: 'The element: `p`, `h2`, `ul`, `li`, `strong`, `link` …' })),
    data: Type.Optional(Extensible({ url: Type.Optional(Type.String({ description: 'Where a link leads to.' })) })),
    children: Type.Optional(Type.Array(component('SlateNode'))),
  },
  { $id: 'SlateNode' },
);

/** An object that a block leads to, or the address of another site. */
const Targets = Type.Union([
  Type.Array(Type.Union([Summary, Extensible({ '@id': Address }), Type.String()])),
  Type.String(),
]);

const Cell = Extensible({ type: Type.Optional(Type.String()), value: Type.Optional(Type.Array(SlateNode)) });
const SlateTable = Extensible({
  rows: Type.Optional(Type.Array(Extensible({ cells: Type.Optional(Type.Array(Cell)) }))),
  hideHeaders: Type.Optional(Type.Boolean()),
});

/** Blocks within a block. */
const NESTED: TProperties = {
  blocks: Type.Record(Type.String(), component('Block')),
  blocks_layout: Type.Object({ items: Type.Array(Type.String()) }),
};
const HEADLINE: TProperties = { headline: Type.String() };

/** Members of the blocks that Volto makes, by type: the members that the server reads or that Volto shows. */
export const BLOCK_MEMBERS = {
  slate: { value: Type.Array(SlateNode), plaintext: Type.String() },
  slateTable: { table: SlateTable },
  teaser: {
    href: Targets,
    title: Type.String(),
    description: Type.String(),
    head_title: Type.String(),
    overwrite: Type.Boolean({ description: 'The block has texts of its own; otherwise they are those of its target.' }),
  },
  image: {
    url: Type.String(),
    alt: Type.String(),
    title: Type.String(),
    caption: Type.String(),
    credit: Type.String(),
    align: Type.String(),
    size: Type.String(),
    href: Targets,
    image_field: Type.String(),
  },
  video: { url: Type.String(), title: Type.String() },
  html: { html: Type.String({ description: 'HTML from which the server has taken what a browser would run.' }) },
  heading: { heading: Type.String(), tag: Type.String() },
  codeBlock: { code: Type.String(), language: Type.String() },
  accordionPanel: { title: Type.String(), ...NESTED },
  gridBlock: { ...HEADLINE, ...NESTED },
  accordion: { ...HEADLINE, data: Extensible({ ...NESTED }) },
  listing: { ...HEADLINE, querystring: Extensible({}), variation: Type.String() },
  search: { ...HEADLINE, query: Extensible({}) },
  button: { title: Type.String(), href: Targets },
} satisfies Record<string, TProperties>;
