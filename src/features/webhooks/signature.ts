import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bytes of a new secret: Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, in the form for libraries of Standard Webhooks. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** A message to another system: `id` is the same for each attempt, `body` is JSON. */
export type Message = { id: string; body: string };

/**
 * The headers of an attempt (Standard Webhooks 1.0.0): one signature for each secret, so that the receiver may have the new or the former secret.
 * Without a secret there is no signature.
 */
export function signatureHeaders(
  { id, body }: Message,
  secrets: readonly string[],
  at: Date = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
  };
}
