import { Type } from 'typebox';
import { documented } from '../openapi/schemas.ts';

/** Query parameters of a representation. */
export const RepresentationQuery = Type.Object({
  expand: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Components to embed in full, separated by commas or repeated. Their options are further parameters, such as `expand.navigation.depth`.',
      examples: [['breadcrumbs', 'actions']],
    }),
  ),
  include_items: Type.Optional(
    Type.Boolean({ description: 'Whether to list the children of a container.', default: true }),
  ),
  fullobjects: Type.Optional(
    Type.String({ description: 'When present, children come with their components and parent.' }),
  ),
  metadata_fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Catalog columns to add to each child; `_all` for all.' }),
  ),
  b_start: Type.Optional(
    Type.Integer({ description: 'Index of the first child of this batch.', minimum: 0, default: 0 }),
  ),
  b_size: Type.Optional(Type.Integer({ description: 'Children in a batch.', minimum: 0, default: 100 })),
});

const Fields = { additionalProperties: true };

const Id = Type.String({ description: 'Id within the container; made from the title unless given.' });
const Layout = Type.String({ description: 'One of the layouts of the type.' });

/** The body that creates content. Fields depend on the type: see `@types/<type>`. */
export const CreateBody = Type.Object(
  {
    '@type': Type.Optional(documented(Type.String({ description: 'Name of the content type.' }), { required: true })),
    title: Type.Optional(documented(Type.String({ description: 'Title; required by most types.' }))),
    id: Type.Optional(documented(Id)),
    UID: Type.Optional(documented(Type.String({ description: 'A UUID of your own; managers only.', format: 'uuid' }))),
    layout: Type.Optional(documented(Layout)),
    translation_of: Type.Optional(
      documented(Type.String({ description: 'Path, address or UID of the content that it is a translation of.' })),
    ),
  },
  {
    ...Fields,
    description: 'Further members are the fields of the type, see `@types/<type>`.',
    examples: [{ '@type': 'Page', title: 'A page', description: 'What it is about.' }],
  },
);

const Ordering = Type.Object(
  {
    obj_id: Type.String({ description: 'Id of the child.' }),
    delta: Type.Union([Type.Literal('top'), Type.Literal('bottom'), Type.Integer()], {
      description: 'Where to: an end, or so many places down; a negative number is up.',
    }),
    subset_ids: Type.Optional(
      Type.Array(Type.String(), { description: 'The children among which it moves, in their present order.' }),
    ),
  },
  { description: 'Moves a child.' },
);

const Sort = Type.Object(
  {
    on: Type.String({ description: 'A sortable index, such as `sortable_title` or `modified`.' }),
    order: Type.Optional(Type.Enum(['ascending', 'descending', 'reverse'])),
  },
  { description: 'Rearranges all children once.' },
);

/** The body that changes content: any subset of fields. */
export const UpdateBody = Type.Object(
  {
    id: Type.Optional(
      documented(Type.String({ description: 'Another id: renames the object, its old address redirects.' })),
    ),
    layout: Type.Optional(documented(Layout)),
    ordering: Type.Optional(documented(Ordering)),
    sort: Type.Optional(documented(Sort)),
  },
  {
    ...Fields,
    description: 'Any of the fields of the type, see `@types/<type>`. null clears a field that is not required.',
    examples: [{ title: 'Another title' }, { ordering: { obj_id: 'news', delta: 'top' } }],
  },
);
