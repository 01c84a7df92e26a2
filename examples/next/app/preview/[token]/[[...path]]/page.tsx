import { ContentPage, shown } from '../../../../components/page.tsx';
import { load } from '../../../../lib/canopy.ts';

type Props = { params: Promise<{ token: string; path?: string[] }> };

export const dynamic = 'force-dynamic';
export const metadata = { robots: 'noindex', referrer: 'no-referrer' as const };

/** A draft, for somebody with a preview link: `proxy.ts` leads here. */
export default async function Preview({ params }: Props) {
  const { token, path = [] } = await params;
  return (
    <>
      <aside role="status">This is a draft. Only people with this link see it.</aside>
      <ContentPage content={shown(await load(`/${path.join('/')}`, token))} token={token} />
    </>
  );
}
