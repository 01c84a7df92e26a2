import type { Service } from '../service.ts';
import { deleteLock, getLock, patchLock, postLock } from './lock-services.ts';

export const lockServices: Service[] = [getLock, postLock, patchLock, deleteLock];
