import type { Service } from '../service.ts';
import { getUpgrade, postUpgrade } from './upgrade-services.ts';

export const upgradeServices: Service[] = [getUpgrade, postUpgrade];
