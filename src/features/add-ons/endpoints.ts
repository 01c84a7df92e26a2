import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { booleanParameter } from '../../serializer/item-options.ts';
import { prefersRepresentation } from '../../services/content/represent-path.ts';
import { documentedQuery } from '../../services/openapi/documented.ts';
import { defineService, noContent, ok, type RequestContext, type Service } from '../../services/service.ts';
import type { Addon, InstalledAddon } from '../../site/addon.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';
import { importAddonProfile, installAddon, uninstallAddon, upgradeAddon } from './addon-lifecycle.ts';
import { readAddons } from './available-addons.ts';

/** An add-on as clients see it. */
const AddonSchema = Type.Object(
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
function addonList(context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site }): JsonObject[] {
  const { base, site } = context;
  return [...known(context)]
    .map(([id, addon]) => addonJson(base, id, addon, site.addons.get(id)))
    .sort((a, b) => String(a.title).localeCompare(String(b.title)));
}

/** One add-on; undefined when nobody knows it. */
const addonEntry = (
  context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site },
  id: string,
): JsonObject | undefined => addonList(context).find((addon) => addon.id === id);

/** GET `@addons`: what can be installed, and what is. */
export const getAddons = defineService({
  name: '@addons',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the add-ons by title, installed or not.',
  query: documentedQuery(
    Type.Object({
      upgradeable: Type.Optional(Type.Boolean({ description: 'Only those with a newer version than is installed.' })),
    }),
  ),
  responses: {
    200: {
      description: 'The add-ons.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(AddonSchema),
        items_total: Type.Integer(),
      }),
    },
  },
  async run(context) {
    const only = booleanParameter(context.searchParams, 'upgradeable', false);
    const items = addonList(context).filter(
      ({ upgrade_info: info }) => !only || (isJsonObject(info) && info.available === true),
    );
    return ok({ '@id': `${context.base}/@addons`, items, items_total: items.length });
  },
});

/** GET `@addons/<id>`: one add-on. */
export const getAddon = defineService({
  name: '@addons',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'One add-on: its version, whether it is installed, and whether there is a newer one.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The add-on.', schema: AddonSchema },
    404: { description: 'There is no such add-on.' },
  },
  async run(context) {
    const [id = ''] = context.rest;
    const addon = addonEntry(context, id);
    if (!addon) throw new NotFound(`/@addons/${id}`);
    return ok(addon);
  },
});

type Change = (kernel: Kernel, request: { caller: Caller; id: string }) => Promise<void>;

/** 204, or the add-ons for a client that wants them. */
async function response(context: RequestContext) {
  if (!prefersRepresentation(context)) return noContent();
  return ok({ items: addonList({ ...context, site: await context.kernel.sites.current() }) });
}

const shared = {
  name: '@addons',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  headers: { Prefer: { description: '`return=representation` for all add-ons in the answer.' } },
} as const;

const responsesOf = (done: string): Service['responses'] => ({
  200: {
    description: 'The add-ons, for the header Prefer: return=representation.',
    schema: Type.Object({ items: Type.Array(AddonSchema) }),
  },
  204: { description: done },
  400: { description: 'It cannot be done; the message says why.' },
  404: { description: 'There is no such add-on.' },
});

const define = (action: string, summary: string, done: string, change: Change) =>
  defineService({
    ...shared,
    summary,
    rest: [`{id}/${action}`],
    responses: responsesOf(done),
    async run(context) {
      const { kernel, caller } = context;
      const [id = ''] = context.rest;
      await change(kernel, { caller, id });
      return response(context);
    },
  });

/** POST `@addons/<id>/install`, `/uninstall` and `/upgrade`. */
export const postAddons: Service[] = [
  define('install', 'Installs an add-on.', 'Installed.', installAddon),
  define('uninstall', 'Takes back what an add-on brought. Content stays.', 'Uninstalled.', uninstallAddon),
  define('upgrade', 'Brings an add-on to its newest version.', 'Upgraded.', upgradeAddon),
];

/** POST `@addons/<id>/import/<profile>`: a further part of an add-on. */
export const postImport = defineService({
  ...shared,
  summary: 'Applies a further profile of an add-on that is installed: settings and content.',
  rest: ['{id}/import/{profile}'],
  responses: responsesOf('Imported.'),
  async run(context) {
    const { kernel, caller } = context;
    const [id = '', , profile = ''] = context.rest;
    await importAddonProfile(kernel, { caller, id, profile });
    return response(context);
  },
});
