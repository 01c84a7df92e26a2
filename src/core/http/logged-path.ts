/** Longest path of a line of the log. */
const MAX_LENGTH = 2000;

/**
 * Parameters whose values are written to the log. The values of other parameters may be secrets, such as tokens of preview links, codes of logins and
 * mails, or search words.
 */
const SHOWN = new Set([
  'b_size',
  'b_start',
  'expand',
  'fullobjects',
  'include_items',
  'lang',
  'metadata_fields',
  'metadata_fields:list',
  'portal_type',
  'portal_type:list',
  'sort_on',
  'sort_order',
]);

/** A parameter as it is logged: its name, and its value if the value is no secret. */
function loggedParameter(parameter: string): string {
  const [name = ''] = parameter.split('=', 1);
  if (name === parameter || SHOWN.has(name) || /^expand\.[\w.]+$/.test(name)) return parameter;
  return `${name}=…`;
}

/** The path and the query of a request as they are logged: without values that may be secrets, and cut to a length. */
export function loggedPath(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target.slice(0, MAX_LENGTH);
  const query = target.slice(mark + 1, mark + 1 + MAX_LENGTH);
  return `${target.slice(0, mark)}?${query.split('&').map(loggedParameter).join('&')}`.slice(0, MAX_LENGTH);
}
