import { createHmac, timingSafeEqual } from 'node:crypto';
import { revalidateTag } from 'next/cache';

/** Seconds that the clocks of Canopy and of this site may be apart. */
const TOLERANCE = 300;
/** Bytes of a webhook at most. */
const MAX_BYTES = 256 * 1024;

/** Says if a request has a signature of the secret (Standard Webhooks, `docs/webhooks.md` of Canopy). */
function isSigned({ headers }: Request, body: string): boolean {
  const secret = process.env.CANOPY_WEBHOOK_SECRET ?? '';
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  );
  if (!secret.startsWith('whsec_') || !(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) < TOLERANCE))
    return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  return key.length > 0 && given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
}

/** Has the pages made again that are made of what has changed, and no others. */
export async function POST(request: Request): Promise<Response> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= MAX_BYTES)) return new Response(null, { status: 413 });
  const body = await request.text();
  if (!isSigned(request, body)) return new Response('The signature is wrong.', { status: 401 });
  const { data }: { data?: { keys?: unknown } } = JSON.parse(body);
  const keys = Array.isArray(data?.keys) ? data.keys.filter((key) => typeof key === 'string') : [];
  for (const key of keys) revalidateTag(key, { expire: 0 });
  return Response.json({ keys: keys.length });
}
