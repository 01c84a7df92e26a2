import type { Service } from '../service.ts';
import { getQuerystringSearch, postQuerystringSearch } from './querystring-search-services.ts';

export const querystringSearchServices: Service[] = [getQuerystringSearch, postQuerystringSearch];
