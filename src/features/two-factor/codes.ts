import { randomBytes } from 'node:crypto';
import type * as otpauth from 'otpauth';
import { lazyPackage } from '#lib/process/lazy-package';
import { hashToken } from '#lib/text/random-token';

const codes = lazyPackage<typeof otpauth>('otpauth');

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Number of time steps before and after the present step whose codes are valid, because clocks differ and people type slowly. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

const generator = (secret: string, issuer = '', label = '') => {
  const { Secret, TOTP: Totp } = codes();
  return new Totp({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
    digits: 6,
    algorithm: 'SHA1',
  });
};

/** A new secret in base32: 160 random bits (RFC 4226, R6). */
export const newSecret = (): string => new (codes().Secret)({ size: SECRET_BYTES }).base32;

/** The address with the secret for apps, to be shown as a QR code. */
export const otpauthUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  generator(secret, issuer, label).toString();

/** The time step of a code, among the valid steps at `now`; undefined for any other text. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = generator(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** A typed code in its plain form: blanks, hyphens and case do not count. */
export const typedCode = (text: string): string => text.replace(/[\s-]/g, '').toLowerCase();

/** New recovery codes of 80 random bits each, in the form for users: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const bits = [...randomBytes(RECOVERY_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });

/** Returns the hash under which a recovery code is stored. */
export const hashRecoveryCode = (code: string): string => hashToken(typedCode(code));
