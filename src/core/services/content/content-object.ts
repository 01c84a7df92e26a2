import { type TSchema, type TUnsafe, Type } from 'typebox';
import { AnyContent } from '../../serializer/content-shapes.ts';
import { FileValue, ImageValue, RichText, Summary, Term } from '../../types/value-shapes.ts';
import { AnyObject, Nullable } from '../schemas.ts';

const Line = Nullable(Type.String());
const Flag = Nullable(Type.Boolean());
const Moment = Nullable(Type.String({ format: 'date-time' }));

/** Fields of the behaviors that most core types have. A site may take each of them off. */
const COMMON_FIELDS = {
  title: Line,
  description: Type.String(),
  subjects: Type.Array(Type.String()),
  // A language that is not in the vocabulary is served as stored (plone.restapi, S04).
  language: Nullable(Type.Union([Term, Type.String()])),
  relatedItems: Type.Array(Summary),
  effective: Moment,
  expires: Moment,
  creators: Type.Array(Type.String()),
  contributors: Type.Array(Type.String()),
  rights: Line,
  exclude_from_nav: Flag,
  allow_discussion: Flag,
};
const BLOCKS = {
  blocks: Nullable(Type.Record(Type.String(), AnyObject(), { description: 'Blocks by their ids.' })),
  blocks_layout: Nullable(Type.Object({ items: Type.Array(Type.String({ description: 'Id of a block.' })) })),
};
const PREVIEW = {
  preview_image: Nullable(ImageValue),
  preview_caption: Line,
  preview_image_link: Nullable(Summary),
  preview_caption_link: Line,
};
const NAVIGATION = { nav_title: Line };

/** Fields of the core types, beyond the common ones. */
const TYPE_FIELDS: Record<string, Record<string, TSchema>> = {
  Page: { ...BLOCKS, ...PREVIEW, ...NAVIGATION, table_of_contents: Flag },
  'News Item': {
    ...BLOCKS,
    ...PREVIEW,
    ...NAVIGATION,
    image: Nullable(ImageValue),
    image_caption: Line,
    text: Nullable(RichText),
  },
  Event: {
    ...BLOCKS,
    ...PREVIEW,
    ...NAVIGATION,
    start: Moment,
    end: Moment,
    whole_day: Flag,
    open_end: Flag,
    sync_uid: Line,
    recurrence: Line,
    location: Line,
    attendees: Type.Array(Type.String()),
    contact_name: Line,
    contact_email: Line,
    contact_phone: Line,
    event_url: Line,
  },
  Folder: { ...BLOCKS, ...NAVIGATION },
  Collection: {
    ...NAVIGATION,
    text: Nullable(RichText),
    query: Nullable(
      Type.Union([
        Type.Array(AnyObject(), { description: 'Conditions, see `@querystring`.' }),
        AnyObject({ description: 'Conditions with their order and limit, as Volto keeps them.' }),
      ]),
    ),
    sort_on: Line,
    sort_reversed: Flag,
    limit: Nullable(Type.Integer()),
    item_count: Nullable(Type.Integer()),
    customViewFields: Type.Array(Term),
  },
  Link: { ...PREVIEW, ...NAVIGATION, remoteUrl: Line },
  File: { file: Nullable(FileValue) },
  Image: { image: Nullable(ImageValue) },
  Video: { preview_image: Nullable(ImageValue), preview_caption: Line, video: Nullable(FileValue) },
  LRF: { ...BLOCKS, ...NAVIGATION },
  LIF: {},
  Site: { ...BLOCKS, ...NAVIGATION, table_of_contents: Flag },
};

/** The fields of a core type. All of them are optional: a site may change its types, and hide fields from a caller. */
const fieldsOf = (type: string, fields: Record<string, TSchema>): TSchema =>
  Type.Partial(Type.Object({ ...COMMON_FIELDS, ...fields }), {
    additionalProperties: true,
    $id: type.replaceAll(' ', ''),
    description: `Fields of the type ${type}.`,
  });

/** A content object: the common members, and for a type of the core its fields. */
export const ContentRepresentation: TUnsafe<AnyContent> = Type.Unsafe<AnyContent>({
  $id: 'ContentObject',
  allOf: [
    AnyContent,
    ...Object.entries(TYPE_FIELDS).map(([type, fields]) => ({
      if: { properties: { '@type': { const: type } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: fieldsOf(type, fields),
    })),
  ],
});
