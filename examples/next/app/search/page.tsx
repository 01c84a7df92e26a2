import Link from 'next/link';
import { List, Menu, shown } from '../../components/page.tsx';
import { load, search } from '../../lib/canopy.ts';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Search({ searchParams }: Props) {
  const given = Object.entries(await searchParams).map(([name, value = '']) => [name, String(value)]);
  const query: Record<string, string> = Object.fromEntries(given);
  const { navigation } = shown(await load('/'))['@components'];
  const { items, total, facets, next } = await search(query);
  const linkTo = (name: string, value: string) =>
    `/search?${new URLSearchParams({ ...query, start: '0', [name]: value })}`;
  return (
    <>
      <Menu items={navigation.items} />
      <h1>{`${total} found${query.text ? ` for “${query.text}”` : ''}`}</h1>
      {Object.entries(facets).map(([name, values]) => (
        <nav key={name} aria-label={name}>
          {query[name] && <Link href={linkTo(name, '')}>All</Link>}
          {values.map(({ value, title, count }) => (
            <Link key={title} href={linkTo(name, String(value))}>{`${title} (${count})`}</Link>
          ))}
        </nav>
      ))}
      <List items={items} />
      {next && <Link href={linkTo('start', next)}>More</Link>}
    </>
  );
}
