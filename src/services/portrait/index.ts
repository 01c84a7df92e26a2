import type { Service } from '../service.ts';
import { getPortrait } from './get-portrait.ts';

export const portraitServices: Service[] = [getPortrait];
