import { BadRequest, defineService, ok, panelSettings, type Service, Type, Unauthorized, VIEW } from 'canopy-server';
import { panel } from './panel.ts';
import { Ratings, rate, ratingsOf } from './ratings.ts';

/** Permission to give stars. */
export const RATE = 'Example: Rate content';

const getRating = defineService({
  name: '@example-rating',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The average of the stars that content has got.',
  responses: { 200: { description: 'The ratings.', schema: Ratings } },
  run: async ({ db, resolved }) => ok(await ratingsOf(db, resolved.object.oid)),
});

const postRating = defineService({
  name: '@example-rating',
  method: 'POST',
  context: 'content',
  permission: RATE,
  summary: 'Gives content stars; those that one has given before are replaced.',
  body: Type.Object({ stars: Type.Integer({ minimum: 1 }) }),
  responses: {
    200: { description: 'The ratings with the new one.', schema: Ratings },
    400: { description: 'More stars than the site allows.' },
  },
  async run({ kernel, site, caller, resolved, body }) {
    const { max_stars: most } = panelSettings(site, panel);
    if (caller.id === null) throw new Unauthorized();
    if (most !== null && body.stars > most) throw new BadRequest(`There are ${most} stars at most.`);
    const { oid } = resolved.object;
    const account = caller.id;
    return kernel.db.transaction(async (tx) => {
      await rate(tx, oid, account, body.stars);
      return ok(await ratingsOf(tx, oid));
    });
  },
});

/** GET and POST `@example-rating`. */
export const ratingServices: Service[] = [getRating, postRating];
