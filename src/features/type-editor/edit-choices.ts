import { FieldError, type Property } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';

type Choices = [token: string, title: string][];

const MAX_CHOICES = 1000;
const MAX_CHOICE_LENGTH = 1000;
const VOCABULARY = /^[^\s\p{Cc}]{1,500}$/u;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_CHOICE_LENGTH;

/** One choice: a text that is token and title, a pair, or a term. */
function parseChoice(value: unknown): [string, string] {
  const [token, title = token]: unknown[] = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? [value.token, value.title ?? value.token]
      : [value];
  if (!isText(token) || token.trim() === '' || !isText(title))
    throw new FieldError(`Choices are texts, or pairs of token and title, of up to ${MAX_CHOICE_LENGTH} characters.`);
  return [token.trim(), title];
}

/** A list of choices, or a text with one in each line. Throws FieldError. */
function parseChoices(value: unknown): Choices {
  const lines = typeof value === 'string' ? value.split('\n').filter((line) => line.trim() !== '') : value;
  if (!Array.isArray(lines)) throw new FieldError('Must be a list of choices.');
  if (lines.length > MAX_CHOICES) throw new FieldError(`There are at most ${MAX_CHOICES} choices.`);
  const choices = lines.map(parseChoice);
  if (new Set(choices.map(([token]) => token)).size < choices.length)
    throw new FieldError('Each choice needs a token of its own.');
  return choices;
}

/** A vocabulary by its name, as its name or in an object with the address that it is served under. Throws FieldError. */
export function parseVocabulary(value: unknown): { '@id': string } {
  const sent = isJsonObject(value) ? value['@id'] : value;
  const name = typeof sent === 'string' ? (sent.split('/@vocabularies/').at(-1) ?? sent) : undefined;
  if (name === undefined || !VOCABULARY.test(name))
    throw new FieldError('Must be the name of a vocabulary, or {"@id": …} with its address.');
  try {
    return { '@id': sent === name ? name : decodeURIComponent(name) };
  } catch {
    throw new FieldError('The address of the vocabulary is no address.');
  }
}

/** Members with choices in the body of a client; `values` is how schema editors send choices that a user has just typed in. */
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

/** Where the values of a field come from: a list of its own, or a vocabulary. */
type Source = { choices?: Choices; vocabulary?: { '@id': string } };

function sourceAfter(sent: JsonObject, { choices, vocabulary }: Source): Source {
  const listed = SOURCES.map((source) => source(sent)).find((value) => value !== undefined);
  const named = [sent.vocabulary, isJsonObject(sent.items) ? sent.items.vocabulary : undefined].find(
    (value) => value !== undefined && value !== null && !isOwnSource(value),
  );
  if (listed !== undefined && listed !== null) return { choices: parseChoices(listed) };
  if (named !== undefined) return { vocabulary: parseVocabulary(named) };
  return {
    ...(choices && listed !== null && { choices }),
    ...(vocabulary && sent.vocabulary !== null && { vocabulary }),
  };
}

/** A field with the source of values that a client wants for it: the list where both are sent. Throws FieldError. */
export function withSource(sent: JsonObject, property: Property): Property {
  if (property.type !== 'array') {
    const { choices, vocabulary, ...rest } = property;
    return { ...rest, ...sourceAfter(sent, property) };
  }
  const { choices, vocabulary, ...rest } = property.items ?? { type: 'string' };
  return { ...property, items: { ...rest, ...sourceAfter(sent, property.items ?? {}) } };
}
