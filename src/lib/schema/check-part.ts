import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { isJsonObject, type JsonObject, omit } from '../json-object.ts';
import { type Decoder, decoderOf } from './decoder.ts';
import { fillDefaults } from './fill-defaults.ts';
import { MAX_PROBLEMS, type SchemaProblem, schemaProblems } from './schema-problems.ts';
import { unknownMembers } from './unknown-members.ts';

/** The result of a check: the value, or the valid members with the problems of the others. */
export type Checked<Value> =
  | { value: Value; problems?: never }
  | { fitting: Partial<Value>; problems: SchemaProblem[] };

/**
 * One part of a request (the parts of the address, the query, or the body) and its schema; without a schema everything fits. `Value` is the type of
 * the schema's values. The schema is compiled for the first request, so that the start of the server does not wait for unused services.
 */
export class PartCheck<Value> {
  readonly #schema: TSchema | undefined;
  readonly #others: 'kept' | 'left out' | 'refused';
  #compiled: { validator: Validator; decode: Decoder | undefined } | undefined;

  /** `others` decides about members that the schema does not declare. */
  constructor(schema: TSchema | undefined, { others }: { others: 'kept' | 'left out' | 'refused' }) {
    this.#schema = schema;
    this.#others = others;
  }

  /** Fills defaults into `input`, which is changed, validates it, and decodes it if the schema has codecs. */
  check(input: JsonObject): Checked<Value> {
    const schema = this.#schema;
    if (!schema) return { value: this.#decoded(input) };
    this.#compiled ??= { validator: Compile(schema), decode: decoderOf(schema) };
    fillDefaults(schema, input);
    const declared = this.#others === 'kept' ? input : declaredIn(schema, input);
    const unknown = this.#others === 'refused' ? unknownMembers(schema, input) : [];
    const fits = this.#compiled.validator.Check(input);
    if (fits && unknown.length === 0) return { value: this.#decoded(declared) };
    const problems = [...(fits ? [] : schemaProblems(schema, input)), ...unknown].slice(0, MAX_PROBLEMS);
    return { fitting: this.#decoded(withoutWrong(declared, problems)), problems };
  }

  /** Decodes a value and gives it the type of its schema, at this single place: the value, or each of its members, has passed the check. */
  #decoded(value: unknown): Value {
    const decode = this.#compiled?.decode;
    return (decode ? decode(value) : value) as Value;
  }
}

/** The members that a schema declares, so that `run` never stores unchecked values. An open object (`OpenObject`) keeps its further members. */
function declaredIn(schema: unknown, value: JsonObject): JsonObject {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return value;
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return value;
  const { properties } = schema;
  return omit(value, (name) => !Object.hasOwn(properties, name));
}

/** The members without problems; no members if the whole has a problem. */
function withoutWrong(value: JsonObject, problems: readonly SchemaProblem[]): JsonObject {
  const wrong = new Set(problems.map(({ member }) => member));
  return wrong.has(undefined) ? {} : omit(value, (name) => wrong.has(name));
}
