import type { APIRoute } from 'astro';
import { sitemap } from '../lib/canopy.ts';

export const GET: APIRoute = ({ url }) => sitemap(url.searchParams.get('page'), process.env.SITE_URL ?? url.origin);
