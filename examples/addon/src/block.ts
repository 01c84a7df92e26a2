import { defineBlock } from 'canopy-server';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A step of instructions: how long it takes in minutes, and what is to be done. */
export const stepBlock = defineBlock({
  type: 'example-step',
  write: (block) => ({ ...block, minutes: Number(block.minutes) || 0 }),
  text: ({ task }) => text(task),
  markdown: ({ task, minutes }) => [
    { type: 'paragraph', children: [{ type: 'text', value: `${text(task)} (${Number(minutes)} min)` }] },
  ],
});
