import type { Service } from '../../../services/service.ts';
import { getUserschema } from './get-userschema.ts';
import { patchUserschema } from './patch-userschema.ts';

export const userschemaServices: Service[] = [getUserschema, patchUserschema];
