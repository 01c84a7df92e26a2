import { MAX_VALUES } from '../../../lib/schema/bounded-json.ts';
import { FieldError } from '../../types/field-kind.ts';

/** Maximum depth of a value: no editor makes deeper values, and every read would have to walk them. */
const MAX_DEPTH = 100;

/** Throws FieldError for JSON that PostgreSQL cannot store (NUL, lone surrogates), that is nested too deep, or has too many values. */
export function checkJson(value: unknown): void {
  // Two lists, because an object for each value is more garbage than the value itself.
  const pending: unknown[] = [value];
  const depths: number[] = [0];
  let values = 0;
  for (let depth = depths.pop(); depth !== undefined; depth = depths.pop()) {
    const item = pending.pop();
    values += 1;
    if (values > MAX_VALUES) throw new FieldError(`Has more than ${MAX_VALUES} values.`);
    if (depth > MAX_DEPTH) throw new FieldError(`Is nested deeper than ${MAX_DEPTH} levels.`);
    if (typeof item === 'string') checkString(item);
    else if (typeof item === 'object' && item !== null) {
      const object = item as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(object)) {
        checkString(key);
        pending.push(object[key]);
        depths.push(depth + 1);
      }
    }
  }
}

function checkString(text: string): void {
  if (text.includes('\u0000')) throw new FieldError('Must not contain NUL characters.');
  if (!text.isWellFormed()) throw new FieldError('Is not well-formed Unicode text.');
}
