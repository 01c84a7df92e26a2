import type { Service } from '../service.ts';
import { getDownload } from './get-download.ts';

export const downloadServices: Service[] = [getDownload];
