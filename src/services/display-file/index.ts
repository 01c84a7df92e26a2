import type { Service } from '../service.ts';
import { getDisplayFile } from './get-display-file.ts';

export const displayFileServices: Service[] = [getDisplayFile];
