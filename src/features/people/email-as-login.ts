import type { Site } from '../../site/site.ts';

/** Whether users log in with their e-mail address (`use_email_as_login` of the security settings). */
export const emailAsLogin = (site: Site): boolean => site.settings.get('security')?.use_email_as_login === true;

/** The login name that an e-mail address makes: people do not mind its case. */
export const loginOfEmail = (email: string): string => email.toLowerCase();
