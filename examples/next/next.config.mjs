/** Next.js shows `unauthorized.tsx` with the status 401 only with this setting. */
export default { experimental: { authInterrupts: true } };
