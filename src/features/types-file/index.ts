import { defineFeature } from '#core';
import { typesCommand } from './command.ts';

/** The content types of a site as types of TypeScript, for programs that use its API (`canopy types`). */
export const typesFileFeature = defineFeature({ name: 'types-file', commands: [typesCommand] });
