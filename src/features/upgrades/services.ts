import type { Service } from '../../services/service.ts';
import { getUpgrade, postUpgrade } from './upgrade-services.ts';

export const upgradeServices: Service[] = [getUpgrade, postUpgrade];
