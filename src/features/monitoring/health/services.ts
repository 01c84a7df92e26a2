import type { Service } from '../../../services/service.ts';
import { getHealth } from './get-health.ts';

export const healthServices: Service[] = [getHealth];
