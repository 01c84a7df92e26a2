import { Type } from 'typebox';

/** The parameter that asks for a former version. */
export const VERSION_PARAMETER = {
  version: Type.Optional(
    Type.String({ description: 'Number of a former version, or `current`. See `@history`.', default: 'current' }),
  ),
};
