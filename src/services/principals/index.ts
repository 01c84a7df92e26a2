import type { Service } from '../service.ts';
import { getPrincipals } from './get-principals.ts';

export const principalsServices: Service[] = [getPrincipals];
