import { Type } from 'typebox';

/** Query parameters of a representation. */
export const RepresentationQuery = Type.Object({
  expand: Type.Optional(Type.String({ description: 'Components to embed, separated by commas or repeated.' })),
  include_items: Type.Optional(
    Type.Boolean({ description: 'Whether to list the children of a container.', default: true }),
  ),
  fullobjects: Type.Optional(
    Type.String({ description: 'When present, children come with their components and parent.' }),
  ),
  metadata_fields: Type.Optional(
    Type.String({ description: 'A catalog column to add to each child; may be repeated; `_all` for all.' }),
  ),
  b_start: Type.Optional(
    Type.Integer({ description: 'Index of the first child of this batch.', minimum: 0, default: 0 }),
  ),
  b_size: Type.Optional(Type.Integer({ description: 'Children in a batch.', minimum: 0, default: 100 })),
});

const Fields = { additionalProperties: true };

/** The body that creates content. Fields depend on the type: see `@types/<type>`. */
export const CreateBody = Type.Object(
  {
    '@type': Type.Optional(Type.Unknown({ description: 'Name of the content type. Required.' })),
    title: Type.Optional(Type.Unknown({ description: 'Title; required by most types.' })),
    id: Type.Optional(Type.Unknown({ description: 'Id within the container; made from the title unless given.' })),
    UID: Type.Optional(Type.Unknown({ description: 'A UUID of your own; managers only.' })),
    layout: Type.Optional(Type.Unknown({ description: 'One of the layouts of the type.' })),
  },
  Fields,
);

/** The body that changes content: any subset of fields. */
export const UpdateBody = Type.Object(
  {
    id: Type.Optional(Type.Unknown({ description: 'Another id: renames the object, its old address redirects.' })),
    layout: Type.Optional(Type.Unknown({ description: 'One of the layouts of the type.' })),
    ordering: Type.Optional(
      Type.Unknown({ description: '{obj_id, delta: "top" | "bottom" | integer, subset_ids?}: moves a child.' }),
    ),
    sort: Type.Optional(Type.Unknown({ description: '{on, order}: rearranges all children once.' })),
  },
  Fields,
);

/** A content object, as far as every one has it. */
export const ContentObject = Type.Object(
  {
    '@id': Type.String({ format: 'uri' }),
    '@type': Type.String(),
    id: Type.String(),
    UID: Type.String(),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    created: Type.String({ format: 'date-time' }),
    modified: Type.String({ format: 'date-time' }),
    owner: Type.String(),
    review_state: Type.Union([Type.String(), Type.Null()]),
    layout: Type.String(),
    is_folderish: Type.Boolean(),
    lock: Type.Object({ locked: Type.Boolean(), stealable: Type.Boolean() }, Fields),
    items: Type.Optional(Type.Array(Type.Object({}, Fields))),
    items_total: Type.Optional(Type.Integer()),
    '@components': Type.Object({}, Fields),
  },
  Fields,
);
