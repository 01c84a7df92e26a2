import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '../lib/errors.ts';
import { tokenOf } from '../lib/token-of.ts';
import type { Field } from '../types/content-type.ts';
import type { Property } from '../types/definition.ts';
import { FieldError } from '../types/field-kind.ts';
import type { FieldKinds } from '../types/field-kinds.ts';
import { NO_REFERENCES } from '../types/no-references.ts';
import type { Choices, Panel, PanelValues, Setting } from './panel.ts';
import type { Site } from './site.ts';

/** What may be chosen, and what is chosen already: it may stay though it is gone, such as a type. */
function choicesWith(choices: Choices, current: unknown): Choices {
  const tokens = (Array.isArray(current) ? current : [current]).filter((item) => typeof item === 'string');
  const gone = tokens.filter((token) => !choices.some(([known]) => known === token));
  return [...choices, ...gone.map((token): [string, string] => [token, token])];
}

/** The form of a setting on a site, with what may be chosen. `values` are those of its panel. */
export function settingField(setting: Setting, site: Site, values: PanelValues): Field {
  const { name, property, required = false, choices } = setting;
  const base = { ...property, name, required };
  if (!choices) return base;
  const offered = choicesWith(choices(site, values), values[name]);
  return property.type === 'array'
    ? { ...base, items: { type: 'string', choices: offered } }
    : { ...base, choices: offered };
}

/** What null makes of a setting: nothing is chosen, no text; of others the default. */
function emptyOf({ type, factory, default: fallback }: Property): unknown {
  if (type === 'array') return [];
  return type === 'string' && factory !== 'Choice' && fallback !== null ? '' : (fallback ?? null);
}

/** The stored form of a value that a client sent. Throws FieldError. */
function readValue(kinds: FieldKinds, field: Field, sent: unknown): unknown {
  const isEmpty = sent === null || (field.factory === 'Choice' && tokenOf(sent) === '');
  if (isEmpty && field.required) throw new FieldError('Must not be empty.');
  const read = isEmpty ? null : kinds.of(field).deserialize(sent, field, NO_REFERENCES);
  return read ?? emptyOf(field);
}

/**
 * What a client sent for settings of one panel, by name: the values that really change. Those that stay are not asked
 * about, for clients send a whole panel back. Every problem is added to `problems`; `need` is told what the change of a
 * setting needs, and throws for a caller who may not.
 */
export function readPanelInput(
  panel: Panel,
  sent: ReadonlyMap<string, unknown>,
  {
    kinds,
    site,
    values,
    problems,
    requirePermission,
  }: {
    kinds: FieldKinds;
    site: Site;
    values: PanelValues;
    problems: FieldProblem[];
    requirePermission: (setting: Setting) => void;
  },
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const present: Record<string, unknown> = { ...values };
  const found: FieldProblem[] = [];
  for (const setting of panel.settings) {
    const { name } = setting;
    if (!sent.has(name) || (setting.secret && sent.get(name) === '')) continue;
    try {
      const value = readValue(kinds, settingField(setting, site, present), sent.get(name));
      if (isDeepStrictEqual(value, present[name])) continue;
      requirePermission(setting);
      const problem = setting.problem?.(value);
      if (problem !== undefined) throw new FieldError(problem);
      changed[name] = value;
      present[name] = value;
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      found.push({ field: name, message: error.message });
    }
  }
  if (found.length === 0 && Object.keys(changed).length > 0) found.push(...(panel.check?.(present) ?? []));
  problems.push(...found);
  return changed;
}
