import type { Service } from '../service.ts';
import { postCopy } from './post-copy.ts';

export const copyServices: Service[] = [postCopy];
