import type { Service } from '../../../services/service.ts';
import { getPortrait } from './get-portrait.ts';

export const portraitServices: Service[] = [getPortrait];
