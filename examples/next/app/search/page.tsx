import Link from 'next/link';
import { pathOf, search } from '../../lib/canopy.ts';

type Props = { searchParams: Promise<{ text?: string | string[] }> };

export default async function Search({ searchParams }: Props) {
  const text = [(await searchParams).text ?? ''].flat().join(' ');
  const found = await search(text);
  return (
    <>
      <h1>{found.length === 0 ? `Nothing was found for “${text}”` : `Found for “${text}”`}</h1>
      <ul>
        {found.map((item) => (
          <li key={item['@id']}>
            <Link href={pathOf(item['@id'])}>{item.title}</Link> {item.description}
          </li>
        ))}
      </ul>
    </>
  );
}
