import { defineFeature, type LoadedColumns } from '#core';
import { getBlockType, getBlockTypes } from './endpoints.ts';
import { blockTypesOf } from './statements.ts';

/** The types of the blocks of content with their numbers, as a column of listings (plone.restapi). */
const blockTypes: LoadedColumns = {
  names: ['block_types'],
  missing: { block_types: {} },
  load: async ({ db }, oids) =>
    new Map((await blockTypesOf(db, oids)).map(({ oid, counts }) => [oid, { block_types: counts }])),
};

/** The types of blocks of the content, with their places (`@blocktypes`). */
export const blockTypesFeature = defineFeature({
  name: 'block-types',
  services: [getBlockType, getBlockTypes],
  loadedColumns: [blockTypes],
});
