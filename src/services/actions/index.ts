import type { Service } from '../service.ts';
import { getActions } from './get-actions.ts';

export const actionsServices: Service[] = [getActions];
