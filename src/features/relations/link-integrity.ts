import { Type } from 'typebox';
import {
  defineService,
  ok,
  panelSettings,
  panels,
  publishing,
  representation,
  schemas,
  searchResults,
  urlOf,
  VIEW,
} from '#core';
import { closedRelations } from './relation-change.ts';
import { linkBreaches, linkTargets } from './statements.ts';

/** Maximum number of UIDs in one request, and of listed sources of each. */
const MAX_UIDS = 1000;
const MAX_BREACHES = 1000;

/**
 * GET `@linkintegrity`: one entry for each UID that the caller may view, as in plone.restapi. References to
 * content below it count as well. Sources that the caller may not view are left out.
 */
export const getLinkintegrity = defineService({
  name: '@linkintegrity',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: 'Tells which content refers to content that is about to be deleted, or to something below it.',
  query: Type.Object({
    uids: Type.Refine(
      Type.Array(Type.String(), {
        description: 'UIDs of what is about to be deleted; repeated.',
        reject: { required: 'Missing required parameter "uids"' },
      }),
      (uids) => new Set(uids).size <= MAX_UIDS,
      () => `At most ${MAX_UIDS} "uids" can be asked for at once.`,
    ),
  }),
  responses: {
    200: {
      description: 'One entry for each UID; without any when the site has link integrity checks switched off.',
      schema: Type.Array(
        schemas.Extensible({
          ...representation.SUMMARY,
          items_total: Type.Integer({ description: 'Content below it, which would go as well.' }),
          breaches: Type.Array(Type.Object({ '@id': schemas.Address, title: Type.String(), uid: Type.String() }), {
            description: 'Content that refers to it and would stay.',
          }),
        }),
      ),
    },
    400: { description: 'No UIDs, or too many.' },
  },
  async run(context) {
    const { db, site, base, caller } = context;
    const uids = [...new Set(context.query.uids)];
    if (panelSettings(site, panels.editing).enable_link_integrity_checks === false) return ok([]);
    const targets = await linkTargets(db, uids, publishing.viewersOf(site, caller));
    const breaches = await linkBreaches(db, {
      uids: targets.map(({ uid }) => uid),
      ...publishing.viewersOf(site, caller),
      closed: closedRelations(site),
      limit: MAX_BREACHES,
    });
    return ok(
      targets.map((target) => ({
        ...searchResults.summary(site, base, target, context.metadataFields),
        breaches: breaches
          .filter((breach) => breach.target === target.uid)
          .map(({ path, title, uid }) => ({ '@id': urlOf(base, path), title, uid })),
        items_total: target.below,
      })),
    );
  },
});
