import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Property } from '../../types/definition.ts';
import type { Site } from '../site/site.ts';
import type { Choices, PanelValues, Setting } from './panel.ts';

/** Members that all kinds of settings share. The record is Plone's, `plone.<name>`, unless it is given. */
type Form<V> = Omit<Setting, 'name' | 'property' | 'record' | 'choices' | 'problem' | 'parse'> & {
  title: string;
  description: string;
  default: V;
  record?: string;
};

const MAX_LINE = 1000;
const MAX_TEXT = 100_000;
const MAX_ITEMS = 1000;

const setting = <N extends string, V>(
  name: N,
  { title, description, default: fallback, record = `plone.${name}`, ...rules }: Form<V>,
  property: Omit<Property, 'title' | 'description' | 'default'>,
  valid: (stored: unknown) => V | undefined,
): Setting<N, V> => ({
  ...rules,
  name,
  record,
  property: { title, description, ...property, default: fallback },
  parse: (stored) => valid(stored) ?? fallback,
});

const asText = (stored: unknown): string | undefined => (typeof stored === 'string' ? stored : undefined);
const asTexts = (stored: unknown): string[] | undefined => (Array.isArray(stored) ? textsOf(stored) : undefined);

type TextRules = { maxLength?: number; problem?: (text: string) => string | undefined };
type TextForm = Form<string> & TextRules;

const text = <N extends string, V extends string | null>(
  name: N,
  { problem, maxLength, ...form }: Form<V | string> & TextRules,
  { most, ...kind }: { factory: string; widget?: string; most: number },
): Setting<N, V | string> => ({
  ...setting<N, V | string>(name, form, { type: 'string', ...kind, maxLength: maxLength ?? most }, asText),
  ...(problem ? { problem: (value) => (typeof value === 'string' && value !== '' ? problem(value) : undefined) } : {}),
});

/** Text of one line. */
export const line = <N extends string>(name: N, form: TextForm): Setting<N, string> =>
  text(name, form, { factory: 'Text line (String)', most: MAX_LINE });

/** A password: it is never served. */
export const password = <N extends string>(name: N, form: TextForm): Setting<N, string> =>
  text(name, { ...form, secret: true }, { factory: 'Password', widget: 'password', most: MAX_LINE });

/** Text of several lines. */
export const lines = <N extends string>(name: N, form: TextForm): Setting<N, string> =>
  text(name, form, { factory: 'Text', widget: 'textarea', most: MAX_TEXT });

/** A picture with its name, written as text in Plone's way; null for none. */
export const picture = <N extends string>(
  name: N,
  form: Omit<Form<null>, 'default'> & TextRules,
): Setting<N, string | null> => text<N, null>(name, { ...form, default: null }, { factory: 'Text', most: MAX_TEXT });

/** Yes or no. */
export const flag = <N extends string>(name: N, form: Form<boolean>): Setting<N, boolean> =>
  setting(name, form, { type: 'boolean', factory: 'Yes/No' }, (stored) =>
    typeof stored === 'boolean' ? stored : undefined,
  );

/** A whole number; a setting whose default is null may be left empty. Stored numbers above `maximum` count as `maximum`. */
export const whole = <N extends string, V extends number | null>(
  name: N,
  { minimum, maximum, ...form }: Form<V> & { minimum: number; maximum: number },
): Setting<N, V | number> =>
  setting<N, V | number>(name, form, { type: 'integer', factory: 'Integer', minimum, maximum }, (stored) =>
    typeof stored === 'number' && Number.isInteger(stored) && stored >= minimum ? Math.min(stored, maximum) : undefined,
  );

type Chosen = { choices: (site: Site, values: PanelValues) => Choices };

/** An object of any form. */
export const json = <N extends string>(name: N, form: Form<JsonObject>): Setting<N, JsonObject> =>
  setting(name, form, { type: 'dict', factory: 'JSONField', widget: 'json' }, (stored) =>
    isJsonObject(stored) ? stored : undefined,
  );

/** A choice of one value, which cannot be empty. */
export const choice = <N extends string>(name: N, { choices, ...form }: Form<string> & Chosen): Setting<N, string> => ({
  ...setting(name, { ...form, required: true }, { type: 'string', factory: 'Choice' }, asText),
  choices,
});

/** Any of several. */
export const several = <N extends string>(
  name: N,
  { choices, ...form }: Form<string[]> & Chosen,
): Setting<N, string[]> => ({
  ...setting(
    name,
    form,
    { type: 'array', factory: 'Multiple Choice', uniqueItems: true, additionalItems: true },
    asTexts,
  ),
  choices,
});

/** A list of texts, each checked by `problem`. `choices` are offered; other texts are possible. */
export const list = <N extends string>(
  name: N,
  { problem, choices, ...form }: Form<string[]> & Partial<Chosen> & { problem?: (item: string) => string | undefined },
): Setting<N, string[]> => ({
  ...setting(name, form, { type: 'array', factory: 'List', items: { type: 'string' }, maxItems: MAX_ITEMS }, asTexts),
  ...(choices ? { choices } : {}),
  ...(problem
    ? {
        problem: (value) =>
          Array.isArray(value)
            ? value.map((item) => problem(String(item))).find((found) => found !== undefined)
            : undefined,
      }
    : {}),
});

/** The items of a setting that is a list of texts. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Tokens that are their own titles. */
export const plainChoices = (tokens: readonly string[]): Choices => tokens.map((token) => [token, token]);
