import { Type } from 'typebox';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { prefersRepresentation } from '../../services/content/represent-path.ts';
import { defineService, noContent, ok, type RequestContext, type Service } from '../../services/service.ts';
import type { Kernel } from '../../site/kernel.ts';
import { AddonSchema, addonList } from './addon-json.ts';
import { importAddonProfile } from './import-addon-profile.ts';
import { installAddon } from './install-addon.ts';
import { uninstallAddon } from './uninstall-addon.ts';
import { upgradeAddon } from './upgrade-addon.ts';

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
