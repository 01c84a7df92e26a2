import { type Static, Type } from 'typebox';
import { batching, defineService, MANAGE_PORTAL, noContent, ok, type RequestContext, requests, type Site } from '#core';
import { NotFound } from '#lib/errors';
import { prefersRepresentation } from '#lib/http/http-headers';
import type { Addon, InstalledAddon } from './addon.ts';
import { importAddonProfile, installAddon, upgradeAddon } from './addon-lifecycle.ts';
import { loadAddons } from './available-addons.ts';
import { uninstallAddon } from './uninstall-addon.ts';

/** The versions of an installed add-on (plone.restapi §7, `@addons`). */
const UpgradeInfo = Type.Object({
  required: Type.Boolean(),
  available: Type.Boolean({ description: 'Whether there is a newer version.' }),
  hasProfile: Type.Boolean({ description: 'Whether its files are there.' }),
  installedVersion: Type.String(),
  newVersion: Type.String(),
});

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
    upgrade_info: Type.Partial(UpgradeInfo, {
      description: 'Versions, and whether there is a newer one; empty when not installed.',
    }),
  },
  { $id: 'Addon' },
);

/** The available and the installed add-ons by id; undefined for an installed one without its folder. */
function knownAddons({
  kernel,
  site,
}: Pick<RequestContext, 'kernel'> & { site: Site }): Map<string, Addon | undefined> {
  const addons = new Map<string, Addon | undefined>(loadAddons(kernel));
  for (const id of site.addons.keys()) if (!addons.has(id)) addons.set(id, undefined);
  return addons;
}

function upgradeInfo(addon: Addon | undefined, { version }: InstalledAddon): Static<typeof UpgradeInfo> {
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
): Static<typeof AddonSchema> {
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

/** All add-ons, sorted by title. */
function addonList(context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site }): Static<typeof AddonSchema>[] {
  const { base, site } = context;
  return [...knownAddons(context)]
    .map(([id, addon]) => addonJson(base, id, addon, site.addons.get(id)))
    .sort((a, b) => a.title.localeCompare(b.title));
}

/** One add-on; undefined when it is neither available nor installed. */
const addonEntry = (
  context: Pick<RequestContext, 'kernel' | 'base'> & { site: Site },
  id: string,
): Static<typeof AddonSchema> | undefined => addonList(context).find((addon) => addon.id === id);

/** GET `@addons`: the available and the installed add-ons. */
export const getAddons = defineService({
  name: '@addons',
  method: 'GET',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Lists the add-ons by title, installed or not.',
  query: Type.Object({
    upgradeable: Type.Boolean({
      description: 'Only those with a newer version than is installed.',
      default: false,
      message: 'must be true or false',
    }),
  }),
  responses: {
    200: {
      description: 'The add-ons.',
      schema: batching.ListOf(AddonSchema),
    },
  },
  async run(context) {
    const items = addonList(context).filter(
      ({ upgrade_info: info }) => !context.query.upgradeable || info.available === true,
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
    const { id } = context.params;
    const addon = addonEntry(context, id);
    if (!addon) throw new NotFound(`/@addons/${id}`);
    return ok(addon);
  },
});

/** All add-ons after a change, for clients that prefer them to 204. */
async function preferredList(context: RequestContext): Promise<Static<typeof AddonSchema>[] | undefined> {
  if (!prefersRepresentation(requests.headerOf(context, 'prefer'))) return undefined;
  return addonList({ ...context, site: await context.kernel.sites.current() });
}

async function response(context: RequestContext) {
  const items = await preferredList(context);
  return items ? ok({ items }) : noContent();
}

const shared = {
  name: '@addons',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  headers: { Prefer: { description: '`return=representation` for all add-ons in the response.' } },
} as const;

const responsesOf = (done: string) => ({
  200: {
    description: 'The add-ons, for the header Prefer: return=representation.',
    schema: Type.Object({ items: Type.Array(AddonSchema) }),
  },
  204: { description: done },
  400: { description: 'It cannot be done; the message says why.' },
  404: { description: 'There is no such add-on.' },
});

/** POST `@addons/<id>/install`: installs an add-on. */
export const postInstallAddon = defineService({
  ...shared,
  summary: 'Installs an add-on.',
  rest: ['{id}/install'],
  responses: responsesOf('Installed.'),
  async run(context) {
    const { kernel, caller, params } = context;
    await installAddon(kernel, { caller, id: params.id });
    return response(context);
  },
});

const Report = Type.String({
  description: 'A line for each change, and for everything that stays as the site has it.',
});

const DryRun = Type.Optional(
  Type.Boolean({
    description: 'Whether to roll everything back and only report it.',
    default: false,
    message: 'must be true or false',
  }),
);

/** The responses of a change that makes a report. */
const reportedResponses = (done: string) => ({
  ...responsesOf(done),
  200: {
    description: 'The report of a dry run, or all add-ons for the header Prefer: return=representation.',
    schema: Type.Object({
      items: Type.Optional(Type.Array(AddonSchema)),
      dry_run: Type.Optional(Type.Boolean()),
      report: Report,
    }),
  },
});

/** Responds with the report of a change, and logs it unless it was a dry run. */
async function reported(
  context: RequestContext,
  done: string,
  { lines, dryRun }: { lines: string[]; dryRun: boolean },
) {
  const report = lines.join('\n');
  if (dryRun) return ok({ dry_run: true, report });
  context.kernel.log.info({ addon: context.params.id, report }, done);
  const items = await preferredList(context);
  return items ? ok({ items, report }) : noContent();
}

/** POST `@addons/<id>/uninstall`: uninstalls an add-on. */
export const postUninstallAddon = defineService({
  ...shared,
  summary: 'Takes back what an add-on brought, and reports what stays. Content stays.',
  rest: ['{id}/uninstall'],
  body: Type.Object({
    clean: Type.Optional(
      Type.Boolean({
        description:
          'Whether to remove what stays as well: tables, scheduled jobs and settings of its feature. Also for one that is uninstalled already.',
        default: false,
        message: 'must be true or false',
      }),
    ),
    dry_run: DryRun,
  }),
  responses: reportedResponses('Uninstalled.'),
  async run(context) {
    const { kernel, caller, params, body } = context;
    const { clean = false, dry_run: dryRun = false } = body;
    const lines = await uninstallAddon(kernel, { caller, id: params.id }, { clean, dryRun });
    return reported(context, 'an add-on is uninstalled', { lines, dryRun });
  },
});

/** POST `@addons/<id>/upgrade`: upgrades an add-on to its newest version. */
export const postUpgradeAddon = defineService({
  ...shared,
  summary: 'Brings an add-on to its newest version. What the site has changed by itself stays.',
  rest: ['{id}/upgrade'],
  body: Type.Object({ dry_run: DryRun }),
  responses: reportedResponses('Upgraded.'),
  async run(context) {
    const { kernel, caller, params, body } = context;
    const { dry_run: dryRun = false } = body;
    const lines = await upgradeAddon(kernel, { caller, id: params.id }, { dryRun });
    return reported(context, 'an add-on is upgraded', { lines, dryRun });
  },
});

/** POST `@addons/<id>/import/<profile>`: imports a further profile of an add-on. */
export const postImport = defineService({
  ...shared,
  summary: 'Applies a further profile of an add-on that is installed: settings and content.',
  rest: ['{id}/import/{profile}'],
  responses: responsesOf('Imported.'),
  async run(context) {
    const { kernel, caller, params } = context;
    await importAddonProfile(kernel, { caller, id: params.id, profile: params.profile });
    return response(context);
  },
});
