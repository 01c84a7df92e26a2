import type { Service } from '../service.ts';
import { getLinkintegrity } from './get-linkintegrity.ts';

export const linkintegrityServices: Service[] = [getLinkintegrity];
