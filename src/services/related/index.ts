import type { Service } from '../service.ts';
import { getRelated } from './get-related.ts';

export const relatedServices: Service[] = [getRelated];
