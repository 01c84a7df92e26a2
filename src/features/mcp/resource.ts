import { Type } from 'typebox';
import { callers, defineService, type Kernel, ok, panelSettings, panels, type Site } from '#core';
import { NotFound } from '#lib/errors';
import { activeProviders } from '../openid/providers.ts';
import { mcpPanel } from './panel.ts';

/** The name of the service and the path of the description of a protected resource (RFC 9728). */
const WELL_KNOWN = '.well-known';
const DESCRIPTION = 'oauth-protected-resource';

/**
 * The endpoint as access tokens name it. It never comes from a request, whose host the client chooses. Undefined where nothing says under which
 * address the site is reached: no access token of a provider is accepted then.
 */
export function resourceOf({ config }: Pick<Kernel, 'config'>, site: Site): string | undefined {
  const { resource } = panelSettings(site, mcpPanel);
  if (resource !== '') return resource;
  return config.publicUrl === undefined ? undefined : `${config.publicUrl}/@mcp`;
}

/** The address of the description of the endpoint; undefined where no provider gives access tokens for it. */
export function descriptionAddress(
  kernel: Pick<Kernel, 'config'>,
  { site, base }: { site: Site; base: string },
): string | undefined {
  if (resourceOf(kernel, site) === undefined || activeProviders(kernel, site).length === 0) return undefined;
  return `${base}/${WELL_KNOWN}/${DESCRIPTION}`;
}

/** GET `.well-known/oauth-protected-resource`: where agents get access tokens for the endpoint. */
export const getResource = defineService({
  name: WELL_KNOWN,
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'mcp',
  summary: 'Describes where agents get access tokens for the endpoint (RFC 9728).',
  rest: [DESCRIPTION, `${DESCRIPTION}/@mcp`],
  responses: {
    200: {
      description: 'The endpoint with its authorization servers.',
      schema: Type.Object({
        resource: Type.String(),
        authorization_servers: Type.Array(Type.String()),
        scopes_supported: Type.Array(Type.String()),
        bearer_methods_supported: Type.Array(Type.String()),
        resource_name: Type.String(),
      }),
    },
    404: { description: 'No provider gives access tokens for this site.' },
  },
  async run({ kernel, site }) {
    const resource = resourceOf(kernel, site);
    const providers = activeProviders(kernel, site);
    if (resource === undefined || providers.length === 0) throw new NotFound(`/${WELL_KNOWN}/${DESCRIPTION}`);
    return ok({
      resource,
      authorization_servers: providers.map(({ issuer }) => issuer),
      // Programs ask their users for all that stands here: writing at once takes a decision of its own.
      scopes_supported: callers.AGENT_SCOPES.filter((scope) => scope !== 'write'),
      bearer_methods_supported: ['header'],
      resource_name: panelSettings(site, panels.site).site_title,
    });
  },
});
