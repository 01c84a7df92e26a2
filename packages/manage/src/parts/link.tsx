import type { MouseEvent, ReactNode } from 'react';
import { go } from '../lib/route.ts';

type LinkProps = { to: string; className?: string; children: ReactNode; current?: boolean; label?: string };

/** A link within the page. A click with a key of the browser, such as for a new tab, is the browser's. */
export function Link({ to, className, children, current, label }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} className={className} onClick={follow} aria-current={current ? 'page' : undefined} aria-label={label}>
      {children}
    </a>
  );
}
