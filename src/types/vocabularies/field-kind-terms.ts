import type { Term } from './term.ts';

/** The kinds of fields that an editor of schemas offers (Nick and plone.restapi, vocabulary `Fields`). */
export const FIELD_KIND_TERMS: readonly Term[] = [
  { token: 'label_choice_field', title: 'Choice' },
  { token: 'label_date_field', title: 'Date' },
  { token: 'label_datetime_field', title: 'Date/Time' },
  { token: 'Email', title: 'Email' },
  { token: 'label_email', title: 'Email' },
  { token: 'File Upload', title: 'File Upload' },
  { token: 'label_float_field', title: 'Floating-point number' },
  { token: 'label_full_name', title: 'Full Name' },
  { token: 'Image', title: 'Image' },
  { token: 'label_integer_field', title: 'Integer' },
  { token: 'JSONField', title: 'JSONField' },
  { token: 'label_multi_choice_field', title: 'Multiple Choice' },
  { token: 'label_password_field', title: 'Password' },
  { token: 'Relation Choice', title: 'Relation Choice' },
  { token: 'Relation List', title: 'Relation List' },
  { token: 'Rich Text', title: 'Rich Text' },
  { token: 'label_text_field', title: 'Text' },
  { token: 'label_textline_field', title: 'Text line (String)' },
  { token: 'URL', title: 'URL' },
  { token: 'label_boolean_field', title: 'Yes/No' },
];
