import { NotFound } from '../../lib/errors.ts';
import { locate } from '../content/locate.ts';
import { has } from '../content/permissions.ts';
import { pathsOfUids } from '../content/statements/references.ts';
import { VIEW } from '../security/permissions.ts';
import { urlOf } from '../serializer/render-context.ts';
import { defineService, type Service } from './service.ts';

/** A UID as Canopy makes it, or as Plone does. */
const UID = /^[0-9a-f-]{32,36}$/i;

/**
 * GET `resolveuid/<uid>[/<service>]`: redirects to the present address of content, for links in rich text that was written elsewhere
 * (plone.outputfilters). Hidden content gets the same response as missing content.
 */
const getResolveUid = defineService({
  name: 'resolveuid',
  method: 'GET',
  context: 'content',
  permission: null,
  tag: 'content',
  summary: 'Leads to the content with a UID, wherever it is.',
  // The longest form is resolveuid/<uid>/@@images/image/large.
  rest: ['{uid}', '{uid}/{service}', '{uid}/{service}/{field}', '{uid}/{service}/{field}/{name}'],
  responses: {
    301: {
      description: 'The content is there.',
      headers: { Location: { description: 'Its address, with the rest of the path and the query of the request.' } },
    },
    404: { description: 'There is no such content, or the caller may not view it.' },
  },
  async run({ kernel, caller, base, rest, params, searchParams }) {
    const { uid } = params;
    const path = UID.test(uid) ? (await pathsOfUids(kernel.db, [uid])).get(uid) : undefined;
    const found = path === undefined ? undefined : await locate(kernel, path);
    if (!found?.resolved || !has(found.site, caller, found.resolved, VIEW)) throw new NotFound(`/resolveuid/${uid}`);
    const more = rest.slice(1).map((segment) => `/${encodeURIComponent(segment).replaceAll('%40', '@')}`);
    const query = searchParams.size > 0 ? `?${searchParams}` : '';
    return {
      status: 301,
      // Browsers would otherwise cache the response for ever, but the content may move, and its viewers may change.
      headers: {
        Location: urlOf(base, found.resolved.object.path) + more.join('') + query,
        'Cache-Control': 'no-cache',
        Vary: 'Authorization, Cookie',
      },
    };
  },
});

export const resolveUidServices: Service[] = [getResolveUid];
