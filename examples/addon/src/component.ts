import { type Component, componentUrl } from 'canopy-server';
import { ratingsOf } from './ratings.ts';

/** `@components.example-rating`: a link, or the ratings with `expand=example-rating`. */
export const ratingComponent: Component = {
  name: 'example-rating',
  expand: async (context, resolved) => ({
    '@id': componentUrl(context, resolved, 'example-rating'),
    ...(await ratingsOf(context.db, resolved.object.oid)),
  }),
};
