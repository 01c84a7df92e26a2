import type { Service } from '../service.ts';
import { getContextnavigation } from './get-contextnavigation.ts';

export const contextnavigationServices: Service[] = [getContextnavigation];
