/** Receives the webhooks of Canopy: see `docs/webhooks.md` of Canopy. */
import { Webhook } from 'standardwebhooks';

/** Bytes of a webhook at most. */
const MAX_BYTES = 256 * 1024;

type Event = { data?: { keys?: string[] } };

/** Answers a webhook that is signed with the secret: `forget` gets the keys of the responses that have changed. */
export async function receive(request: Request, forget: (keys: string[]) => void): Promise<Response> {
  if (!(Number(request.headers.get('content-length') ?? Number.NaN) <= MAX_BYTES))
    return new Response(null, { status: 413 });
  const [body, headers] = [await request.text(), Object.fromEntries(request.headers)];
  let event: Event;
  try {
    event = new Webhook(process.env.CANOPY_WEBHOOK_SECRET ?? '').verify(body, headers) as Event;
  } catch (error) {
    return new Response(String(error), { status: 401 });
  }
  const { keys = [] } = event.data ?? {};
  forget(keys);
  return Response.json({ keys: keys.length });
}
