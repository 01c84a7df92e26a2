import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ValidationFailed } from '../lib/errors.ts';
import type { RequestContext, Service } from '../services/service.ts';

const compiled = new WeakMap<TSchema, Validator>();

function validatorFor(schema: TSchema): Validator {
  const known = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, known);
  return known;
}

/** Checks the body of a call against the schema that its service declares. Throws ValidationFailed with each field. */
export function validate(service: Service, context: RequestContext): void {
  if (!service.body) return;
  const validator = validatorFor(service.body);
  if (validator.Check(context.body)) return;
  const problems = validator
    .Errors(context.body)
    .slice(0, 20)
    .map(({ instancePath, message }) => {
      const field = instancePath.replace(/^\//, '').replaceAll('/', '.');
      return field === '' ? { message } : { field, message };
    });
  throw new ValidationFailed(problems);
}
