import Link from 'next/link';
import { notFound, redirect } from 'next/navigation';
import { BlockView, Html } from '../../components/blocks.tsx';
import { blocksOf, load, pathOf, srcsetOf } from '../../lib/canopy.ts';

type Props = { params: Promise<{ path?: string[] }> };

async function contentAt({ params }: Props) {
  const { path = [] } = await params;
  const found = await load(`/${path.join('/')}`);
  if (found && 'moved' in found) redirect(found.moved);
  return found?.content ?? notFound();
}

export async function generateMetadata(props: Props) {
  const { title, description } = await contentAt(props);
  return { title, description };
}

export default async function Page(props: Props) {
  const content = await contentAt(props);
  const picture = content.image ?? content.preview_image;
  return (
    <>
      <nav aria-label="Breadcrumbs">
        {content['@components'].breadcrumbs.items.map((item) => (
          <span key={item['@id']}>
            {' / '}
            <Link href={pathOf(item['@id'])}>{item.title}</Link>
          </span>
        ))}
      </nav>
      <h1>{content.title}</h1>
      {content.description && <p>{content.description}</p>}
      {picture && (
        // biome-ignore lint/performance/noImgElement: Canopy makes the sizes
        <img src={picture.download} srcSet={srcsetOf(picture)} sizes="(max-width: 45rem) 100vw, 45rem" alt="" />
      )}
      {blocksOf(content).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key here, and the page is made anew
        <BlockView key={at} block={block} />
      ))}
      {content.text && <Html html={content.text.data} />}
      {content.file && <a href={content.file.download}>{content.file.filename}</a>}
      <ul>
        {(content.items ?? []).map((item) => (
          <li key={item['@id']}>
            <Link href={pathOf(item['@id'])}>{item.title}</Link> {item.description}
          </li>
        ))}
      </ul>
    </>
  );
}
