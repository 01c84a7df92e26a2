import { Type } from 'typebox';

/** A path of content in the arguments of a tool. */
export const Path = (description: string) => Type.String({ description, minLength: 1, maxLength: 4000 });
