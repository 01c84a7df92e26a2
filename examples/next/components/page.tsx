import Link from 'next/link';
import { notFound, redirect, unauthorized } from 'next/navigation';
import { blocksOf, type Content, type Loaded, pathOf, pictureProps, type Summary } from '../lib/canopy.ts';
import { BlockView, Html } from './blocks.tsx';

/** The content to show. Leads to its new address, or shows that there is no page or that a visitor may not see it. */
export function shown(loaded: Loaded): Content {
  if ('moved' in loaded) redirect(loaded.moved);
  if ('content' in loaded) return loaded.content;
  return loaded.status === 401 ? unauthorized() : notFound();
}

const Links = ({ items }: { items: Summary[] }) =>
  items.map((item) => (
    <Link key={item['@id']} href={pathOf(item['@id'])}>
      {item.title}
    </Link>
  ));

/** A list of links with descriptions. */
export const List = ({ items }: { items: Summary[] }) => (
  <ul>
    {items.map((item) => (
      <li key={item['@id']}>
        <Link href={pathOf(item['@id'])}>{item.title}</Link> {item.description}
      </li>
    ))}
  </ul>
);

/** A page without content. */
export const Notice = ({ title }: { title: string }) => (
  <>
    <h1>{title}</h1>
    <Link href="/">Home</Link>
  </>
);

/** The page of content, with the menu of the site. `token` is that of the preview link of a draft. */
export function ContentPage({ content, token }: { content: Content; token?: string }) {
  const { navigation, breadcrumbs, translations } = content['@components'];
  const picture = content.image ?? content.preview_image;
  const language = typeof content.language === 'object' ? content.language?.token : content.language;
  const items = content.items ?? [];
  return (
    <div lang={language || undefined}>
      <nav aria-label="Main">
        <Link href="/">Home</Link>
        <Links items={navigation.items} />
      </nav>
      <nav aria-label="Breadcrumbs">
        <Links items={breadcrumbs.items} />
      </nav>
      <nav aria-label="Languages">
        {translations?.items?.map((item) => (
          <Link key={item.language} href={pathOf(item['@id'])} hrefLang={item.language} lang={item.language}>
            {new Intl.DisplayNames([item.language], { type: 'language' }).of(item.language)}
          </Link>
        ))}
      </nav>
      <h1>{content.title}</h1>
      {content.description && <p className="lead">{content.description}</p>}
      {/* biome-ignore lint/performance/noImgElement: Canopy makes the sizes */}
      {picture && <img {...pictureProps(picture, token)} alt={content.title} />}
      {blocksOf(content).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key here, and the page is made anew
        <BlockView key={at} block={block} />
      ))}
      {content.text && <Html html={content.text.data} />}
      {content.file && <a href={content.file.download}>{content.file.filename}</a>}
      <List items={items} />
      {(content.items_total ?? 0) > items.length && (
        <Link href={`/search?path=${pathOf(content['@id'])}`}>All of it</Link>
      )}
    </div>
  );
}
