import type { ReactNode } from 'react';
import './style.css';

export const metadata = { title: 'Canopy', icons: { icon: 'data:,' } };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <form action="/search">
          <input type="search" name="text" aria-label="Search" />
          <button type="submit">Search</button>
        </form>
        <main>{children}</main>
      </body>
    </html>
  );
}
