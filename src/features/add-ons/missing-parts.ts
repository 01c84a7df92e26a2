import { ConfigError, configuration, type Kernel, sitePieces } from '#core';
import { isJsonObject, type JsonObject, textOf } from '#lib/json-object';
import { loadAddons } from './available-addons.ts';

type Registries = Pick<Kernel, 'fieldKinds' | 'guardConditions'>;

/** The objects in a member of an object. */
const objectsIn = (data: unknown, key: string): JsonObject[] => {
  const member = isJsonObject(data) ? data[key] : undefined;
  return isJsonObject(member) ? Object.values(member).filter(isJsonObject) : [];
};

/** The fields of a type or behavior, including fields inside of fields. */
const fieldsOf = (schema: unknown): JsonObject[] =>
  objectsIn(schema, 'properties').flatMap((field) => [field, ...fieldsOf(field.schema)]);

/** The missing code that a piece of configuration names and no feature has; undefined if nothing is missing. */
function missingCode(
  { fieldKinds, guardConditions }: Registries,
  { kind, data }: configuration.Row,
): string | undefined {
  if (kind === configuration.KINDS.type || kind === configuration.KINDS.behavior) {
    const field = fieldsOf(data).find(
      ({ factory, widget }) => !fieldKinds.has({ factory: textOf(factory), widget: textOf(widget) }),
    );
    return field && `kind of field "${textOf(field.factory)}"`;
  }
  if (kind !== configuration.KINDS.workflow) return undefined;
  const conditions = objectsIn(data, 'transitions').flatMap(({ guard }) =>
    isJsonObject(guard) && Array.isArray(guard.conditions) ? guard.conditions : [],
  );
  const condition = conditions.map(textOf).find((name) => !guardConditions.has(name));
  return condition === undefined ? undefined : `condition "${condition}"`;
}

/** The pieces that an installed add-on has brought, as `kind id`. */
const broughtBy = ({ data }: configuration.Row): Set<string> =>
  new Set(
    (isJsonObject(data) && Array.isArray(data.rows) ? data.rows : [])
      .filter(isJsonObject)
      .map(({ kind, id }) => `${textOf(kind)} ${textOf(id)}`),
  );

/**
 * Checks the pieces of installed add-ons whose feature or folder is gone: a piece may name code that is gone as well.
 * @throws ConfigError in one line, with the add-on, what is missing, and what to do
 */
export async function requireAddonParts(kernel: Kernel): Promise<void> {
  const { rows } = await configuration.load(kernel.db);
  const installed = rows.filter(({ kind }) => kind === configuration.KINDS.addon);
  if (installed.length === 0) return;
  const available = loadAddons(kernel);
  for (const addon of installed.filter(({ id }) => !available.has(id))) {
    const brought = broughtBy(addon);
    for (const row of rows.filter(({ kind, id }) => brought.has(`${kind} ${id}`))) {
      const missing = missingCode(kernel, row);
      if (missing !== undefined)
        throw new ConfigError(
          `The add-on "${addon.id}" is installed, but no feature of this name is there: the ${sitePieces.nameOf(row)} needs the ${missing}. Put the feature back into "features" of the configuration file, or remove the add-on with "canopy addons uninstall ${addon.id}".`,
        );
    }
  }
}
