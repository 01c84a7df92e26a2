import { Type } from 'typebox';

/** The body of a service that reads none: clients may send an empty object. */
export const NoBody = Type.Object({}, { additionalProperties: true, description: 'Nothing of it is read.' });
