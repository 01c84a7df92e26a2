import type { FieldKind } from '../types/field-kind.ts';
import { FieldKinds } from '../types/field-kinds.ts';
import { choice, multipleChoice } from '../types/fields/choices.ts';
import { date, dateTime, time } from '../types/fields/dates.ts';
import { file } from '../types/fields/files.ts';
import { list } from '../types/fields/lists.ts';
import { boolean, float, integer } from '../types/fields/numbers.ts';
import { relationChoice, relationList } from '../types/fields/relations.ts';
import { text, textLine } from '../types/fields/text.ts';
import { jsonField } from './fields/blocks.ts';
import { image } from './fields/image.ts';
import { linkUrl } from './fields/link-url.ts';
import { richText } from './fields/rich-text.ts';

const KINDS: FieldKind[] = [
  textLine,
  text,
  integer,
  float,
  boolean,
  dateTime,
  date,
  time,
  choice,
  multipleChoice,
  list,
  relationChoice,
  relationList,
  file,
  image,
  richText,
  linkUrl,
];

/** The field kinds of the core. An add-on registers its own with `register`, the same call. */
export const coreFieldKinds = (): FieldKinds => new FieldKinds(KINDS, jsonField);
