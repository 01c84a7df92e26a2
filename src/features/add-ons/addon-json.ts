import { Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import type { RequestContext } from '../../services/service.ts';
import type { Addon, InstalledAddon } from '../../site/addon.ts';
import type { Site } from '../../site/site.ts';
import { readAddons } from './addon-folder.ts';

/** An add-on as clients see it. */
export const AddonSchema = Type.Object(
  {
    '@id': Type.String({ format: 'uri' }),
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    version: Type.String(),
    is_installed: Type.Boolean(),
    profile_type: Type.Literal('default'),
    install_profile_id: Type.String({ description: 'Empty when its files are gone.' }),
    uninstall_profile_id: Type.String(),
    other_profiles: Type.Array(Type.String(), { description: 'What `import` takes.' }),
    upgrade_info: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Versions, and whether there is a newer one; empty when not installed.',
      },
    ),
  },
  { $id: 'Addon' },
);

/** The add-ons that can be installed and those that are, by id. */
function known({ kernel, site }: Pick<RequestContext, 'kernel'> & { site: Site }): Map<string, Addon | undefined> {
  const addons = new Map<string, Addon | undefined>(readAddons(kernel));
  for (const id of site.addons.keys()) if (!addons.has(id)) addons.set(id, undefined);
  return addons;
}

/** Versions of an installed add-on (plone.restapi §7, `@addons`). */
function upgradeInfo(addon: Addon | undefined, { version }: InstalledAddon): JsonObject {
  const newer = addon !== undefined && BigInt(addon.version) > BigInt(version);
  return {
    required: newer,
    available: newer,
    hasProfile: addon !== undefined,
    installedVersion: version,
    newVersion: addon?.version ?? version,
  };
}

function addonJson(
  base: string,
  id: string,
  addon: Addon | undefined,
  installed: InstalledAddon | undefined,
): JsonObject {
  const { title = id, description = '', version = '' } = addon ?? installed ?? {};
  return {
    '@id': `${base}/@addons/${encodeURIComponent(id)}`,
    id,
    title,
    description,
    version,
    is_installed: installed !== undefined,
    profile_type: 'default',
    install_profile_id: addon ? `${id}:default` : '',
    uninstall_profile_id: `${id}:uninstall`,
    other_profiles: [...(addon?.profiles.keys() ?? [])],
    upgrade_info: installed ? upgradeInfo(addon, installed) : {},
  };
}

/** All add-ons by title. */
export function addonList(context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site }): JsonObject[] {
  const { base, site } = context;
  return [...known(context)]
    .map(([id, addon]) => addonJson(base, id, addon, site.addons.get(id)))
    .sort((a, b) => String(a.title).localeCompare(String(b.title)));
}

/** One add-on; undefined when nobody knows it. */
export const addonEntry = (
  context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site },
  id: string,
): JsonObject | undefined => addonList(context).find((addon) => addon.id === id);
