import { Type } from 'typebox';
import { BooleanParameter } from '../../../lib/schema/parameters.ts';
import { UID_FORM } from '../../content/create-content.ts';
import { type Ordering, SORT_INDEXES } from '../../content/order-children.ts';
import { Batching, inEveryCase, Nullable, OpenObject, Tokens } from '../schemas.ts';

/** Children in one response unless the client asks for another number; links lead to the other children. */
const DEFAULT_SIZE = 100;

/** Query parameters of a representation. */
export const RepresentationQuery = Type.Object({
  expand: Type.Optional(
    Tokens({
      description:
        'Components to embed in full, separated by commas or repeated. Their options are further parameters, such as `expand.navigation.depth`.',
      examples: [['breadcrumbs', 'actions']],
    }),
  ),
  include_items: BooleanParameter('include_items', {
    description: 'Whether to list the children of a container.',
    default: true,
  }),
  fullobjects: Type.Optional(
    Type.String({ description: 'When present, children come with their components and parent.' }),
  ),
  metadata_fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Catalog columns to add to each child; `_all` for all.' }),
  ),
  ...Batching('children', { size: DEFAULT_SIZE }),
});

const LAYOUT = {
  description: 'One of the layouts of the type.',
  reject: 'The layout must be the name of a layout of the type.',
};

/** The body that creates content. Its fields, such as `title`, depend on the type: their kinds check them. */
export const CreateBody = OpenObject(
  {
    '@type': Type.String({
      description: 'Name of the content type.',
      minLength: 1,
      reject: inEveryCase("Property '@type' is required."),
    }),
    id: Type.Optional(
      Nullable(Type.String(), {
        description: 'Id within the container; made from the title unless given.',
        reject: 'The id must be a string.',
      }),
    ),
    UID: Type.Optional(
      Nullable(Type.String({ pattern: UID_FORM.source }), {
        description: 'A UUID of your own; managers only.',
        reject: 'The UID must be a UUID.',
      }),
    ),
    layout: Type.Optional(Nullable(Type.String(), LAYOUT)),
    translation_of: Type.Optional(
      Nullable(Type.String(), {
        description: 'Path, address or UID of the content that it is a translation of.',
        reject: '"translation_of" must be the path, the address or the UID of content.',
      }),
    ),
  },
  {
    description:
      'Further members are the fields of the type, see `@types/<type>`. Most types require the field `title`.',
    examples: [{ '@type': 'Page', title: 'A page', description: 'What it is about.' }],
  },
);

const OrderingBody = Type.Decode(
  Type.Object(
    {
      obj_id: Type.String({
        description: 'Id of the child.',
        minLength: 1,
        reject: inEveryCase('"ordering" needs obj_id, the id of a child.'),
      }),
      delta: Type.Union(
        [
          Type.Enum(['top', 'bottom']),
          Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
          Type.Decode(Type.String({ pattern: '^[+-]?\\d{1,9}$' }), Number),
        ],
        {
          description: 'Where to: an end, or so many places down; a negative number is up.',
          reject: inEveryCase('"ordering" needs delta: "top", "bottom" or an integer.'),
        },
      ),
      subset_ids: Type.Optional(
        Nullable(Type.Array(Type.String()), {
          description: 'The children among which it moves, in their present order.',
          reject: '"subset_ids" must be a list of ids.',
        }),
      ),
    },
    { description: 'Moves a child.', reject: '"ordering" must be an object with obj_id and delta.' },
  ),
  ({ obj_id: id, delta, subset_ids: subsetIds }): Ordering => ({ id, delta, subsetIds: subsetIds ?? undefined }),
);

const SortBody = Type.Object(
  {
    on: Type.Enum(SORT_INDEXES, {
      description: 'The index that says the order.',
      reject: inEveryCase(`"sort" needs on, one of: ${SORT_INDEXES.join(', ')}.`),
    }),
    order: Type.Enum(['ascending', 'descending', 'reverse'], {
      default: 'ascending',
      reject: 'The order of "sort" must be ascending, descending or reverse.',
    }),
  },
  { description: 'Rearranges all children once.', reject: '"sort" must be an object with on and order.' },
);

/** The body that changes content: any subset of fields. */
export const UpdateBody = OpenObject(
  {
    id: Type.Optional(
      Type.String({
        description: 'Another id: renames the object, its old address redirects.',
        reject: 'The id must be a string.',
      }),
    ),
    layout: Type.Optional(Nullable(Type.String(), LAYOUT)),
    ordering: Type.Optional(OrderingBody),
    sort: Type.Optional(SortBody),
  },
  {
    description: 'Any of the fields of the type, see `@types/<type>`. null clears a field that is not required.',
    examples: [{ title: 'Another title' }, { ordering: { obj_id: 'news', delta: 'top' } }],
  },
);
