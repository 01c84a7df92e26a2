import type { Service } from '../service.ts';
import { getDatabase } from './get-database.ts';

export const databaseServices: Service[] = [getDatabase];
