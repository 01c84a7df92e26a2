import { MAX_VALUES } from '../../../lib/schema/bounded-json.ts';
import { FieldError } from '../../types/field-kind.ts';

/** Maximum depth of a value: no editor makes deeper values, and every read would have to walk them. */
const MAX_DEPTH = 100;

/** Throws FieldError for JSON that PostgreSQL cannot store (NUL, lone surrogates), that is nested too deep, or has too many values. */
export function checkJson(value: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    values += 1;
    if (values > MAX_VALUES) throw new FieldError(`Has more than ${MAX_VALUES} values.`);
    const { value: item, depth } = next;
    if (depth > MAX_DEPTH) throw new FieldError(`Is nested deeper than ${MAX_DEPTH} levels.`);
    if (typeof item === 'string') checkString(item);
    else if (typeof item === 'object' && item !== null) {
      for (const [key, inner] of Object.entries(item)) {
        checkString(key);
        pending.push({ value: inner, depth: depth + 1 });
      }
    }
  }
}

function checkString(text: string): void {
  if (text.includes('\u0000')) throw new FieldError('Must not contain NUL characters.');
  if (!text.isWellFormed()) throw new FieldError('Is not well-formed Unicode text.');
}
