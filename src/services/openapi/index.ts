import type { Service } from '../service.ts';
import { getOpenapi } from './get-openapi.ts';

export const openapiServices: Service[] = [getOpenapi];
