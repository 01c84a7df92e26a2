import type { Row } from './row.ts';
import { COMMENTS_CONTENT, COMMENTS_ROOT } from './rows-comments.ts';
import { ESCALATION_CONTENT, ESCALATION_PEOPLE } from './rows-escalation.ts';
import { FORMS_CONTENT, FORMS_ROOT } from './rows-forms.ts';
import { PEOPLE } from './rows-people.ts';
import { READING_CONTENT, READING_ROOT } from './rows-reading.ts';
import { SETTINGS } from './rows-settings.ts';
import { SITE } from './rows-site.ts';
import { UPLOADS_CONTENT, UPLOADS_ROOT } from './rows-uploads.ts';
import { WRITING_CONTENT, WRITING_ROOT } from './rows-writing.ts';

/** The permission matrix: one table of all areas. */
export const ROWS: readonly Row[] = [
  ...SITE,
  ...SETTINGS,
  ...READING_CONTENT,
  ...READING_ROOT,
  ...WRITING_CONTENT,
  ...WRITING_ROOT,
  ...COMMENTS_CONTENT,
  ...COMMENTS_ROOT,
  ...FORMS_CONTENT,
  ...FORMS_ROOT,
  ...UPLOADS_CONTENT,
  ...UPLOADS_ROOT,
  ...PEOPLE,
  ...ESCALATION_PEOPLE,
  ...ESCALATION_CONTENT,
];
