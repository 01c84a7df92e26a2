import type { Service } from '../service.ts';
import { getInherit } from './get-inherit.ts';

export const inheritServices: Service[] = [getInherit];
