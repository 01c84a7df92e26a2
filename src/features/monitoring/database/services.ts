import type { Service } from '../../../services/service.ts';
import { getDatabase } from './get-database.ts';

export const databaseServices: Service[] = [getDatabase];
