import type { ManagePage } from 'canopy-server';
import { RATE } from './endpoints.ts';

/** A page in `/@manage`, for those who may give stars. */
export const ratingsPage: ManagePage = {
  name: 'example-ratings',
  title: 'Stars',
  permission: RATE,
  module: new URL('../manage/ratings.js', import.meta.url),
};
