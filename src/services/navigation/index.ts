import type { Service } from '../service.ts';
import { getNavigation } from './get-navigation.ts';

export const navigationServices: Service[] = [getNavigation];
