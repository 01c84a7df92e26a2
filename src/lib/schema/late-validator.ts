import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** The validator of one schema. The schema is compiled at the first use, so that the start of the server does not wait for those that it does not need. */
export class LateValidator<S extends TSchema> {
  readonly #schema: S;
  #compiled: Validator | undefined;

  constructor(schema: S) {
    this.#schema = schema;
  }

  /** Says if a value fits the schema. */
  Check(value: unknown): value is Static<S> {
    return this.#validator.Check(value);
  }

  /** The problems of a value. */
  Errors(value: unknown): ReturnType<Validator['Errors']> {
    return this.#validator.Errors(value);
  }

  get #validator(): Validator {
    this.#compiled ??= Compile(this.#schema);
    return this.#compiled;
  }
}
