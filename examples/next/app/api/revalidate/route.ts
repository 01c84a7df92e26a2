import { revalidateTag } from 'next/cache';
import { receive } from '../../../lib/webhook.ts';

/** Has the pages made again that are made of what has changed, and no others. */
export const POST = (request: Request): Promise<Response> =>
  receive(request, (keys) => {
    for (const key of keys) revalidateTag(key, { expire: 0 });
  });
