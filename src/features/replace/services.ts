import type { Service } from '../../services/service.ts';
import { postReplace } from './post-replace.ts';

export const replaceServices: Service[] = [postReplace];
