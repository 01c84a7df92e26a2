import { contentStates, type ResolvedNode, type Site } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';

/** Maximum length of the name of a setting and of a text in it. */
const MAX_LENGTH = 1000;

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_LENGTH;

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Settings with names of their own, by the check of a value. */
const KNOWN: Readonly<Record<string, (value: unknown) => boolean>> = {
  review_state: isText,
  default_page: isText,
  translation_group: isText,
  inherit_roles: (value) => typeof value === 'boolean',
  constrains: (value) => isJsonObject(value) && isTexts(value.locally_allowed) && isTexts(value.immediately_addable),
};

/** The check of a setting; undefined for a setting that content does not have. */
function checkOf(name: string): ((value: unknown) => boolean) | undefined {
  if (Object.hasOwn(KNOWN, name)) return KNOWN[name];
  if (/^role:(?:user|group):./.test(name)) return isTexts;
  if (/^permission:./.test(name))
    return (value) => isJsonObject(value) && isTexts(value.roles) && typeof value.acquire === 'boolean';
  return undefined;
}

const rolesIn = (name: string, value: unknown): unknown[] =>
  name.startsWith('role:') && Array.isArray(value) ? value : [];

/**
 * Throws BadRequest for settings that content does not have, for values of another form, and for local roles that neither the site nor the
 * object has.
 */
export function requireSettings(site: Site, { object }: ResolvedNode, settings: JsonObject): void {
  const present = contentStates.of(object).settings;
  const roles = new Set<unknown>(site.roles.map(({ id }) => id));
  for (const [name, value] of Object.entries(settings)) {
    const short = name.slice(0, 100);
    const check = name.length > MAX_LENGTH ? undefined : checkOf(name);
    if (!check) throw new BadRequest(`Content has no setting "${short}".`);
    if (value === null) continue;
    if (!check(value)) throw new BadRequest(`The setting "${short}" has a value that it cannot have.`);
    const known = rolesIn(name, present[name]);
    const unknown = rolesIn(name, value).find((role) => !roles.has(role) && !known.includes(role));
    if (unknown !== undefined)
      throw new BadRequest(`The site has no role "${String(unknown).slice(0, 100)}". Apply the set-up as well.`);
  }
}
