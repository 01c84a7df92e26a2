import type { Service } from '../service.ts';
import { getCatalog } from './get-catalog.ts';

export const catalogServices: Service[] = [getCatalog];
