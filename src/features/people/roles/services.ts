import type { Service } from '../../../services/service.ts';
import { getRole } from './get-role.ts';
import { getRoles } from './get-roles.ts';

export const rolesServices: Service[] = [getRoles, getRole];
