import type { Service } from '../service.ts';
import { getSite } from './get-site.ts';
import { getSiteLogo } from './get-site-logo.ts';

export const siteServices: Service[] = [getSite, getSiteLogo];
