import type { APIRoute } from 'astro';
import { forget } from '../../lib/kept-pages.ts';
import { receive } from '../../lib/webhook.ts';

/** Has the pages made again that are made of what has changed, and no others. */
export const POST: APIRoute = ({ request }) => receive(request, forget);
