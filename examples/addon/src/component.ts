import { componentUrl, defineComponent, Type } from 'canopy-server';
import { Ratings, ratingsOf } from './ratings.ts';

/** `@components.example-rating`: a link, or the ratings with `expand=example-rating`. */
export const ratingComponent = defineComponent({
  name: 'example-rating',
  schema: Type.Object({ '@id': Type.String(), ...Ratings.properties }),
  expand: async (context, resolved) => ({
    '@id': componentUrl(context, resolved, 'example-rating'),
    ...(await ratingsOf(context.db, resolved.object.oid)),
  }),
});
