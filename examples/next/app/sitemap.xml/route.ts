import { sitemap } from '../../lib/canopy.ts';

export const dynamic = 'force-dynamic';

export function GET(request: Request): Promise<Response> {
  const { origin, searchParams } = new URL(request.url);
  return sitemap(searchParams.get('page'), process.env.SITE_URL ?? origin);
}
