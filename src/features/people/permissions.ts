/** Permissions that only the services of people ask for, in Plone's spelling. */
export const ADD_MEMBER = 'Add portal member';
export const READ_PEOPLE = 'Access Plone user information';
export const SET_OWN_PROPERTIES = 'Set own properties';
export const SET_OWN_PASSWORD = 'Set own password';
export const USE_MAIL_HOST = 'Use mailhost services';
