import type { Service } from '../../../services/service.ts';
import { getLinkintegrity } from './get-linkintegrity.ts';

export const linkintegrityServices: Service[] = [getLinkintegrity];
