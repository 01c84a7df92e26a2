import type { Service } from '../../services/service.ts';
import { getExport } from './get-export.ts';

export const exportServices: Service[] = [getExport];
