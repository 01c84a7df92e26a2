import type { Property } from '../../types/definition.ts';
import type { Choices, PanelValues, Setting } from '../panel.ts';
import type { Site } from '../site.ts';

/** What all kinds of settings have. The record is Plone's, `plone.<name>`, unless it is given. */
type Form<V> = Omit<Setting, 'name' | 'property' | 'record' | 'choices' | 'problem'> & {
  title: string;
  description: string;
  default: V;
  record?: string;
};

const MOST_LINE = 1000;
const MOST_TEXT = 100_000;
const MOST_ITEMS = 1000;

const setting = <V>(
  name: string,
  { title, description, default: fallback, record = `plone.${name}`, ...rules }: Form<V>,
  property: Omit<Property, 'title' | 'description' | 'default'>,
): Setting => ({ ...rules, name, record, property: { title, description, ...property, default: fallback } });

type TextRules = { maxLength?: number; problem?: (text: string) => string | undefined };
type TextForm = Form<string> & TextRules;

const text = (
  name: string,
  { problem, maxLength, ...form }: Form<string | null> & TextRules,
  { most, ...kind }: { factory: string; widget?: string; most: number },
): Setting => ({
  ...setting(name, form, { type: 'string', ...kind, maxLength: maxLength ?? most }),
  ...(problem ? { problem: (value) => (typeof value === 'string' && value !== '' ? problem(value) : undefined) } : {}),
});

/** Text of one line. */
export const line = (name: string, form: TextForm): Setting =>
  text(name, form, { factory: 'Text line (String)', most: MOST_LINE });

/** A password: it is never served. */
export const password = (name: string, form: TextForm): Setting =>
  text(name, { ...form, secret: true }, { factory: 'Password', widget: 'password', most: MOST_LINE });

/** Text of several lines. */
export const lines = (name: string, form: TextForm): Setting =>
  text(name, form, { factory: 'Text', widget: 'textarea', most: MOST_TEXT });

/** A picture with its name, written as text in Plone's way; null for none. */
export const picture = (name: string, form: Omit<Form<null>, 'default'> & TextRules): Setting =>
  text(name, { ...form, default: null }, { factory: 'Text', most: MOST_TEXT });

/** Yes or no. */
export const flag = (name: string, form: Form<boolean>): Setting =>
  setting(name, form, { type: 'boolean', factory: 'Yes/No' });

/** A whole number; one whose default is null may be left empty. */
export const whole = (
  name: string,
  { minimum, maximum, ...form }: Form<number | null> & { minimum: number; maximum: number },
): Setting => setting(name, form, { type: 'integer', factory: 'Integer', minimum, maximum });

type Chosen = { choices: (site: Site, values: PanelValues) => Choices };

/** One of several. It cannot be empty. */
export const choice = (name: string, { choices, ...form }: Form<string> & Chosen): Setting => ({
  ...setting(name, { ...form, required: true }, { type: 'string', factory: 'Choice' }),
  choices,
});

/** Any of several. */
export const several = (name: string, { choices, ...form }: Form<string[]> & Chosen): Setting => ({
  ...setting(name, form, { type: 'array', factory: 'Multiple Choice', uniqueItems: true, additionalItems: true }),
  choices,
});

/** A list of texts, each of which `problem` is asked about. `choices` are offered; others are possible. */
export const list = (
  name: string,
  { problem, choices, ...form }: Form<string[]> & Partial<Chosen> & { problem?: (item: string) => string | undefined },
): Setting => ({
  ...setting(name, form, { type: 'array', factory: 'List', items: { type: 'string' }, maxItems: MOST_ITEMS }),
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
