import type { Service } from '../../../services/service.ts';
import { getRecord } from './get-record.ts';
import { getRegistry } from './get-registry.ts';
import { patchRegistry } from './patch-registry.ts';

export const registryServices: Service[] = [getRegistry, getRecord, patchRegistry];
