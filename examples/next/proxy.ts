import { type NextRequest, NextResponse } from 'next/server';

/** Shows the draft of a page to somebody with a preview link: `/a/page?preview_token=…`. */
export function proxy(request: NextRequest) {
  const token = request.nextUrl.searchParams.get('preview_token');
  // Drafts have no other address.
  if (request.nextUrl.pathname.startsWith('/preview/')) return NextResponse.rewrite(new URL('/@', request.url));
  if (!token) return NextResponse.next();
  return NextResponse.rewrite(new URL(`/preview/${encodeURIComponent(token)}${request.nextUrl.pathname}`, request.url));
}
