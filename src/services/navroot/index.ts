import type { Service } from '../service.ts';
import { getNavroot } from './get-navroot.ts';

export const navrootServices: Service[] = [getNavroot];
