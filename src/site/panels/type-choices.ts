import type { Choices } from '../panel.ts';
import type { Site } from '../site.ts';

/** The content types of a site, by title. */
export const typeChoices = ({ types }: Site): Choices =>
  [...types.values()].map(({ id, title }): [string, string] => [id, title]).sort(([, a], [, b]) => a.localeCompare(b));
