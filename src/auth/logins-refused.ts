/** What those are told who come to a full line on the way to a login. */
export const LOGINS_REFUSED = { refusal: 'Too many logins at once. Try again.', retryAfter: 1 };
