import type { Command } from 'canopy-server';
import { countRatings } from './ratings.ts';

/** `npx canopy-server example-count`. */
export const countCommand: Command = {
  name: 'example-count',
  summary: 'print how many ratings there are',
  example: 'example-count --json',
  json: '`ratings`: how many there are.',
  async run({ open }) {
    const { db } = await open();
    const ratings = await countRatings(db);
    return { lines: [`There are ${ratings} ratings.`], data: { ratings } };
  },
};
