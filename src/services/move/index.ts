import type { Service } from '../service.ts';
import { postMove } from './post-move.ts';

export const moveServices: Service[] = [postMove];
