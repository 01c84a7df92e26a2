import type { Service } from '../service.ts';
import { getLogin, postLogin, postLoginRenew, postLogout } from './login-services.ts';

export const loginServices: Service[] = [getLogin, postLogin, postLoginRenew, postLogout];
