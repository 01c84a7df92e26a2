import type { Service } from '../../../services/service.ts';
import { getSystem } from './get-system.ts';

export const systemServices: Service[] = [getSystem];
