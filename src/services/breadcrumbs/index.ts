import type { Service } from '../service.ts';
import { getBreadcrumbs } from './get-breadcrumbs.ts';

export const breadcrumbsServices: Service[] = [getBreadcrumbs];
