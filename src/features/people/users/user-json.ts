import type { JsonObject } from '../../../lib/json-object.ts';
import { AUTHENTICATED_USERS } from '../../../security/caller.ts';
import { type BatchRequest, batchLinks } from '../../../serializer/batch.ts';
import type { RenderContext } from '../../../serializer/render-context.ts';
import { siteScales } from '../../../site/image-sizes.ts';
import type { ReadContext } from '../../../types/field-kind.ts';
import type { Profile } from '../statements/people-profiles.ts';
import { propertyFields } from '../user-type.ts';

/** Address of a user. */
export const userUrl = (base: string, id: string): string => `${base}/@users/${encodeURIComponent(id)}`;

/** Address of the picture of a user. */
const portraitUrl = (base: string, id: string): string => `${base}/@portrait/${encodeURIComponent(id)}`;

/** Properties as their fields serve them; empty ones are null (plone.restapi §7 @users). */
function propertiesJson(
  { kernel, site, base }: Pick<RenderContext, 'kernel' | 'site' | 'base'>,
  user: Profile,
): JsonObject {
  const context: ReadContext = {
    objectUrl: userUrl(base, user.id),
    target: () => undefined,
    termTitle: () => undefined,
    scales: siteScales(site),
  };
  return Object.fromEntries(
    propertyFields(site).map((field) => {
      const stored = user.properties[field.name];
      const empty = stored === undefined || stored === null || stored === '';
      const kind = kernel.fieldKinds.of(field);
      return [field.name, empty ? null : (kind.serialize?.(stored, field, context) ?? stored)];
    }),
  );
}

/**
 * A user as plone.restapi represents it: roles of groups included, empty properties null. With `batch` a part of the
 * groups, else all of them.
 */
export function userJson(
  context: Pick<RenderContext, 'kernel' | 'site' | 'base'>,
  user: Profile,
  batch?: BatchRequest,
): JsonObject {
  const { id, login, fullname, email, roles, groups, hasPortrait } = user;
  const url = userUrl(context.base, id);
  const all = groups.map((group) => ({
    id: group.id,
    title: group.id === AUTHENTICATED_USERS ? AUTHENTICATED_USERS : group.title,
  }));
  return {
    ...propertiesJson(context, user),
    '@id': url,
    id,
    username: login,
    fullname,
    email,
    portrait: hasPortrait ? portraitUrl(context.base, id) : null,
    roles: roles.filter((role) => role !== 'Anonymous' && role !== 'Authenticated'),
    groups: {
      '@id': url,
      items: batch ? all.slice(batch.start, batch.start + batch.size) : all,
      items_total: all.length,
      ...(batch ? batchLinks(url, batch, all.length) : {}),
    },
  };
}
