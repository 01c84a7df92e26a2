import { type contentRules, type Field, fieldValues, locks, message, tree } from '#core';
import { BadRequest } from '#lib/errors';
import { textOf } from '#lib/json-object';
import { parseBoolean, parseNumber } from '#lib/schema/parse-text';
import { elementSchema, line } from '../element-schema.ts';

/** Parses a text by the kind of a field. Throws BadRequest for a text that cannot be such a value. */
function valueFor(field: Field, text: string): unknown {
  if (text === '') return null;
  const unfit = () => new BadRequest(`"${text.slice(0, 100)}" cannot be a value of the field "${field.name}".`);
  if (field.type === 'integer' || field.type === 'number') {
    const number = parseNumber(text);
    if (number === undefined) throw unfit();
    return number;
  }
  if (field.type === 'boolean') {
    const flag = parseBoolean(text);
    if (flag === undefined) throw unfit();
    return flag;
  }
  if (field.type === 'array') return text.split(',').flatMap((item) => item.trim() || []);
  if (field.type === 'object' || field.type === 'dict') throw unfit();
  return text;
}

/** Sets a field of the content. The value is checked like that of a change by a user. */
export const setField: contentRules.Action = {
  name: 'set_field',
  title: 'Set a field',
  description: 'Give a field of the triggering item a value',
  schema: elementSchema(
    {
      field: line('Field', 'The name of the field, such as subjects or expires.', { maxLength: 100 }),
      value: line(
        'Value',
        'A text, a number, a date, true or false, or several texts separated by commas; empty clears the field. It may contain the same places for values as mails.',
      ),
    },
    ['field'],
  ),
  summary: ({ field, value }) => message(`Set ${textOf(field)} to ${textOf(value)}`),
  async run({ kernel, tx, caller, site, event, content: { object }, values, substitute }) {
    if (event.removing) throw new BadRequest('The content is just being removed: this action comes too late.');
    const name = textOf(values.field);
    const field = site.types.get(object.type)?.fieldByName.get(name);
    if (!field || !fieldValues.isWritable(field))
      throw new BadRequest(`Content of the type "${object.type}" has no field "${name}" that can be set.`);
    const input = { [name]: valueFor(field, await substitute(textOf(values.value))) };
    const lockToken = locks.editorsToken(object);
    await tree.update(kernel, { caller, path: object.path, input, bases: [], lockToken }, { tx });
  },
};
