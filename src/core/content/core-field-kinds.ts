import type { FieldKind } from '../types/field-kind.ts';
import { choice, multipleChoice } from '../types/fields/choices.ts';
import { date, dateTime, time } from '../types/fields/dates.ts';
import { file } from '../types/fields/files.ts';
import { list } from '../types/fields/lists.ts';
import { boolean, float, integer } from '../types/fields/numbers.ts';
import { relationChoice, relationList } from '../types/fields/relations.ts';
import { email, password, text, textLine } from '../types/fields/text.ts';
import { image } from './fields/image.ts';
import { linkUrl } from './fields/link-url.ts';
import { richText } from './fields/rich-text.ts';

/** The field kinds of the core, in the order in which messages name them, without the kind for JSON, which needs the blocks of the kernel. */
export const coreFieldKinds: readonly FieldKind[] = [
  textLine,
  text,
  richText,
  email,
  linkUrl,
  password,
  integer,
  float,
  boolean,
  date,
  dateTime,
  time,
  choice,
  multipleChoice,
  list,
  relationChoice,
  relationList,
  file,
  image,
];
