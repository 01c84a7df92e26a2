import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { Link } from './link.tsx';

/** The way back from an entry to its list. */
export const Above = ({ view, title }: { view: string; title: string }) => (
  <nav className="crumbs" aria-label={say('The way to here')}>
    <ol>
      <li>
        <Link to={linkTo(view)}>{title}</Link>
      </li>
    </ol>
  </nav>
);
