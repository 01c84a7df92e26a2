import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Check, Errors } from 'typebox/value';
import { isJsonObject } from '../../lib/json-object.ts';
import type { ServiceResponse } from './response.ts';
import type { Service } from './service.ts';

/** Compares the responses of services with their declarations, for tests. */
export class ResponseCheck {
  readonly #validators = new Map<TSchema, Validator>();

  /** The differences between a response and the declaration of its service; empty when it fits. Bytes and texts are not compared. */
  problems(service: Service, { status, body }: ServiceResponse): string[] {
    const declared = service.responses[status];
    if (!declared) return status < 400 ? [`does not declare the status ${status}`] : [];
    if (!declared.schema || body === undefined) return [];
    // Clients get the body as JSON: no undefined members, no dates.
    const sent: unknown = JSON.parse(JSON.stringify(body));
    const validator = this.#validatorFor(declared.schema);
    if (validator.Check(sent)) return [];
    return errorsIn(declared.schema, sent).map(
      ({ instancePath, message }) => `${status}: ${instancePath || 'the body'} ${message}`,
    );
  }

  #validatorFor(schema: TSchema): Validator {
    const known = this.#validators.get(schema) ?? Compile(schema);
    this.#validators.set(schema, known);
    return known;
  }
}

/** Returns the errors of a value. For a condition it returns the errors of the branch, which the validator does not report. */
function errorsIn(schema: unknown, value: unknown): { instancePath: string; message: string }[] {
  if (!isJsonObject(schema)) return [];
  if (Array.isArray(schema.allOf)) return schema.allOf.flatMap((part) => errorsIn(part, value));
  if (isJsonObject(schema.if)) return errorsIn(Check(schema.if, value) ? schema.then : schema.else, value);
  return Errors(schema, value);
}
