import type { Service } from '../service.ts';
import { getSystem } from './get-system.ts';

export const systemServices: Service[] = [getSystem];
