import type { Caller } from '../../security/caller.ts';
import type { Site } from '../../site/site.ts';

/** Whether the caller may make an account of their own: nobody is logged in, and the site is open to it (`enable_self_reg`). */
export const mayRegister = (site: Site, caller: Caller): boolean =>
  caller.id === null && site.settings.get('security')?.enable_self_reg === true;

/** Whether those who register choose their password themselves (`enable_user_pwd_choice`). */
export const mayChoosePassword = (site: Site): boolean =>
  site.settings.get('security')?.enable_user_pwd_choice === true;
