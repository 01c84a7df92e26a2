import type { Command } from 'canopy-server';
import { countRatings } from './ratings.ts';

/** `npx canopy-server example-count`. */
export const countCommand: Command = {
  name: 'example-count',
  summary: 'print how many ratings there are',
  async run({ open }) {
    const { db } = await open();
    process.stdout.write(`There are ${await countRatings(db)} ratings.\n`);
    return 0;
  },
};
