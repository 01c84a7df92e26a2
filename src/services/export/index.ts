import type { Service } from '../service.ts';
import { getExport } from './get-export.ts';

export const exportServices: Service[] = [getExport];
