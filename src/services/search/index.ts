import type { Service } from '../service.ts';
import { getSearch } from './get-search.ts';

export const searchServices: Service[] = [getSearch];
