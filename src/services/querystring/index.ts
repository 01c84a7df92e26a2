import type { Service } from '../service.ts';
import { getQuerystring } from './get-querystring.ts';

export const querystringServices: Service[] = [getQuerystring];
