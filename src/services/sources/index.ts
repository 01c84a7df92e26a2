import type { Service } from '../service.ts';
import { getSource } from './get-source.ts';

export const sourcesServices: Service[] = [getSource];
