import type { Service } from '../../services/service.ts';
import { getRelated } from './get-related.ts';

export const relatedServices: Service[] = [getRelated];
