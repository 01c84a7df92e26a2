import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { FieldError } from '../field-kind.ts';

/** One choice as a pair: a text that is token and title, a pair, or a term. */
function parseChoice(value: unknown): unknown[] {
  const [token, title = token]: unknown[] = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? [value.token, value.title ?? value.token]
      : [value];
  return [typeof token === 'string' ? token.trim() : token, title];
}

/** A list of choices, or a text with a choice in each line, as pairs. Other values stay unchanged. */
function parseChoices(value: unknown): unknown {
  const lines = typeof value === 'string' ? value.split('\n').filter((line) => line.trim() !== '') : value;
  return Array.isArray(lines) ? lines.map(parseChoice) : lines;
}

/** Parses a vocabulary: its name, or an object with its address. Throws FieldError. */
export function parseVocabulary(value: unknown): { '@id': string } {
  const sent = isJsonObject(value) ? value['@id'] : value;
  const name = typeof sent === 'string' ? (sent.split('/@vocabularies/').at(-1) ?? sent) : undefined;
  if (name === undefined) throw new FieldError('Must be the name of a vocabulary, or {"@id": …} with its address.');
  try {
    return { '@id': sent === name ? name : decodeURIComponent(name) };
  } catch {
    throw new FieldError('The address of the vocabulary is no address.');
  }
}

/** Members with choices in the body of a client; schema editors send newly typed choices as `values`. */
const SOURCES: readonly ((sent: JsonObject) => unknown)[] = [
  ({ values }) => values,
  ({ choices }) => choices,
  ({ items }) => (isJsonObject(items) ? items.choices : undefined),
];

/** The address of the field's own list, which clients send back. */
const isOwnSource = (value: unknown): boolean => {
  const address = isJsonObject(value) ? value['@id'] : value;
  return typeof address === 'string' && address.includes('/@sources/');
};

/** The source of the values of a field: a list of its own, or a vocabulary. */
type Source = { choices?: unknown; vocabulary?: unknown };

function sourceAfter(sent: JsonObject, { choices, vocabulary }: Source): Source {
  const listed = SOURCES.map((source) => source(sent)).find((value) => value !== undefined);
  const named = [sent.vocabulary, isJsonObject(sent.items) ? sent.items.vocabulary : undefined].find(
    (value) => value !== undefined && value !== null && !isOwnSource(value),
  );
  if (listed !== undefined && listed !== null) return { choices: parseChoices(listed) };
  if (named !== undefined) return { vocabulary: parseVocabulary(named) };
  return {
    ...(choices !== undefined && listed !== null && { choices }),
    ...(vocabulary !== undefined && sent.vocabulary !== null && { vocabulary }),
  };
}

/** The settings of a field with the source of values that a client has sent; the list counts if both are sent. Throws FieldError. */
export function withSource(sent: JsonObject, field: JsonObject): JsonObject {
  if (field.type !== 'array') {
    const { choices, vocabulary, ...rest } = field;
    return { ...rest, ...sourceAfter(sent, field) };
  }
  const items = isJsonObject(field.items) ? field.items : { type: 'string' };
  const { choices, vocabulary, ...rest } = items;
  return { ...field, items: { ...rest, ...sourceAfter(sent, items) } };
}
