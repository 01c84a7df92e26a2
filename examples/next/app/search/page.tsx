import Link from 'next/link';
import { List } from '../../components/page.tsx';
import { search } from '../../lib/canopy.ts';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The parameters of the page, and the indexes of Canopy that they choose values of. */
const FACETS = { type: 'portal_type', tag: 'Subject' };

export default async function Search({ searchParams }: Props) {
  const given = Object.entries(await searchParams).map(
    ([name, value = '']) => [name, [value].flat().join(' ')] as const,
  );
  const query = Object.fromEntries(given);
  const { text = '', path } = query;
  const facets = Object.entries(FACETS);
  const chosen = facets.flatMap(([name, index]) => (query[name] ? [[index, query[name]]] : []));
  const found = await search(text, Object.fromEntries([...chosen, ...(path ? [['path.query', path]] : [])]));
  const linkTo = (name: string, value: string) => `/search?${new URLSearchParams({ ...query, [name]: value })}`;
  return (
    <>
      <h1>{found.items_total === 0 ? `Nothing was found for “${text}”` : `Found for “${text}”`}</h1>
      {facets.map(([name, index]) => (
        <nav key={name} aria-label={name}>
          {query[name] && <Link href={linkTo(name, '')}>All</Link>}
          {(found.facets?.[index] ?? []).map(({ value, title, count }) => (
            <Link key={value} href={linkTo(name, value)}>{`${title} (${count})`}</Link>
          ))}
        </nav>
      ))}
      <List items={found.items} />
    </>
  );
}
