import { customIndex } from 'canopy-server';

const LEVELS = ['low', 'medium', 'high'];

/** `@search?example_level=2`: content by its effort as a number, from 1. */
export const effortIndex = customIndex(
  'example_level',
  'number',
  ({ fields }) => {
    const level = LEVELS.indexOf(String(fields.effort));
    return level === -1 ? undefined : level + 1;
  },
  { title: 'Effort as a number' },
);
