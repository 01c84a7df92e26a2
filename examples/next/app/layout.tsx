import Link from 'next/link';
import type { ReactNode } from 'react';
import { load, pathOf } from '../lib/canopy.ts';
import './style.css';

/** Pages are made for each request, so that a change in Canopy is seen at once. */
export const dynamic = 'force-dynamic';
export const metadata = { title: 'Canopy' };

export default async function Layout({ children }: { children: ReactNode }) {
  const root = await load('/');
  const items = root && 'content' in root ? root.content['@components'].navigation.items : [];
  return (
    <html lang="en">
      <body>
        <header>
          <nav aria-label="Main">
            <Link href="/">Home</Link>
            {items.map((item) => (
              <span key={item['@id']}>
                {' · '}
                <Link href={pathOf(item['@id'])}>{item.title}</Link>
              </span>
            ))}
          </nav>
          <form action="/search">
            <input type="search" name="text" aria-label="Search" />
            <button type="submit">Search</button>
          </form>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}
