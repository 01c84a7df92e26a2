import type { ContentObject } from '../types/content-row.ts';
import { stateMark } from './base-state.ts';

/** The mark of the state at the end of a token, and what stands before it: a UUID for a lock, a word for none. */
const TOKEN = /^(?:opened|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(-[\da-z]{9})$/;

/** A token that opens no lock, but names the state in which somebody has opened content to edit it. */
export const openedToken = ({ modified }: Pick<ContentObject, 'modified'>): string => `opened${stateMark(modified)}`;

/** The mark of the state that a token names; undefined for other texts. */
export const stateOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1];
