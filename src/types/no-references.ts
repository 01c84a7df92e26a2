import type { WriteContext } from './field-kind.ts';

/** How values are read that are not those of content, such as defaults and settings: they refer to nothing that is stored. */
export const NO_REFERENCES: WriteContext = {
  resolveLink: (link) => link,
  resolveUid: () => undefined,
  current: undefined,
};
