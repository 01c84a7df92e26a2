import type { Service } from '../../services/service.ts';
import { getAddon, getAddons } from './get-addons.ts';
import { postAddons, postImport } from './post-addons.ts';

export const addonsServices: Service[] = [getAddons, getAddon, ...postAddons, postImport];
