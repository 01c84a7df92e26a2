import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../src/app/create-server.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { quickestEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';

it('a feature that cannot start ends the work of the features before it', async () => {
  const seen: string[] = [];
  const before = defineFeature({
    name: 'before',
    start: async () => ({
      release: () => void seen.push('released'),
      close: async () => void seen.push('closed'),
    }),
  });
  const broken = defineFeature({
    name: 'broken',
    start: async () => {
      throw new Error('It cannot start.');
    },
  });
  const { kernel, close } = await createTestKernel(quickestEngine(), { features: [before, broken] });
  onTestFinished(close);
  await expect(createServer(kernel)).rejects.toThrow('It cannot start.');
  expect(seen).toEqual(['released', 'closed']);
});
