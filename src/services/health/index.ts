import type { Service } from '../service.ts';
import { getHealth } from './get-health.ts';

export const healthServices: Service[] = [getHealth];
