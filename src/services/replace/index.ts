import type { Service } from '../service.ts';
import { postReplace } from './post-replace.ts';

export const replaceServices: Service[] = [postReplace];
