import { ContentPage, shown } from '../../components/page.tsx';
import { load } from '../../lib/canopy.ts';

type Props = { params: Promise<{ path?: string[] }> };

/** Pages are made when they are first asked for, and kept until a webhook says that they have changed. */
export const dynamic = 'force-static';
export const generateStaticParams = () => [];

const contentAt = async ({ params }: Props) => shown(await load(`/${((await params).path ?? []).join('/')}`));

export async function generateMetadata(props: Props) {
  const { title, description } = await contentAt(props);
  return { title, description };
}

export default async function Page(props: Props) {
  const content = await contentAt(props);
  return (
    <>
      <ContentPage content={content} />
      <footer>
        Made <time>{new Date().toISOString()}</time>
      </footer>
    </>
  );
}
