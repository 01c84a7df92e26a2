import type { Service } from '../../../services/service.ts';
import { getPrincipals } from './get-principals.ts';

export const principalsServices: Service[] = [getPrincipals];
