import Link from 'next/link';
import { notFound, redirect, unauthorized } from 'next/navigation';
import { blocksOf, type Content, type Entry, type Loaded, languageOf, pathOf, pictureProps } from '../lib/canopy.ts';
import { BlockView, Html } from './blocks.tsx';

/** The content to show. Leads to its new address, or shows that there is no page or that a visitor may not see it. */
export function shown(loaded: Loaded): Content {
  if ('moved' in loaded) redirect(loaded.moved);
  if ('content' in loaded) return loaded.content;
  return loaded.status === 401 ? unauthorized() : notFound();
}

const Links = ({ items }: { items: Entry[] }) =>
  items.map((item) => (
    <Link key={item['@id']} href={pathOf(item['@id'])}>
      {item.title}
    </Link>
  ));

/** The menu of the site. */
export const Menu = ({ items }: { items: Entry[] }) => (
  <nav aria-label="Main">
    <Link href="/">Home</Link>
    <Links items={items} />
  </nav>
);

/** A list of links with descriptions. */
export const List = ({ items }: { items: Entry[] }) => (
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
  const picture = pictureProps(content, token);
  const items = ('items' in content && content.items) || [];
  return (
    <div lang={languageOf(content)}>
      <Menu items={navigation.items} />
      <nav aria-label="Breadcrumbs">
        <Links items={breadcrumbs.items} />
      </nav>
      <nav aria-label="Languages">
        {translations.items.map((item) => (
          <Link key={item.language} href={pathOf(item['@id'])} hrefLang={item.language} lang={item.language}>
            {new Intl.DisplayNames([item.language], { type: 'language' }).of(item.language)}
          </Link>
        ))}
      </nav>
      <h1>{content.title}</h1>
      {content.description && <p className="lead">{content.description}</p>}
      {/* biome-ignore lint/performance/noImgElement: Canopy makes the sizes */}
      {picture && <img {...picture} alt={content.title ?? ''} />}
      {blocksOf(content).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key here, and the page is made anew
        <BlockView key={at} block={block} />
      ))}
      {'text' in content && content.text && <Html html={content.text.data} />}
      {content['@type'] === 'File' && content.file && <a href={content.file.download}>{content.file.filename}</a>}
      <List items={items} />
      {'items_total' in content && (content.items_total ?? 0) > items.length && (
        <Link href={`/search?path=${pathOf(content['@id'])}`}>All of it</Link>
      )}
    </div>
  );
}
