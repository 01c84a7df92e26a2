import type { Service } from '../service.ts';
import { getQuerysource } from './get-querysource.ts';

export const querysourcesServices: Service[] = [getQuerysource];
