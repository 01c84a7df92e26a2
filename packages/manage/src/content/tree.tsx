import type { Summary } from '@canopy-server/client';
import { useState } from 'react';
import { useData } from '../lib/data.ts';
import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf, site } from '../lib/site.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice } from '../parts/notice.tsx';

/** Folders that one level shows; the list has all. */
const MAX_SHOWN = 100;

type BranchProps = { path: string; current: string };

/** The folders in a folder. */
function Branch({ path, current }: BranchProps) {
  const children = useData(`tree ${path}`, (signal) =>
    site()
      .search(
        { path: { query: path, depth: 1 }, is_folderish: true },
        { sort: 'getObjPositionInParent', size: MAX_SHOWN, columns: ['is_folderish'], signal },
      )
      .first(),
  );
  if (children.error !== undefined) return <ErrorNotice error={children.error} />;
  const { items = [], total = 0 } = children.data ?? {};
  if (children.data && items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <Twig key={item['@id']} item={item} current={current} />
      ))}
      {total > items.length && (
        <li className="soft">{say('More of them: {total}', { total: total - items.length })}</li>
      )}
    </ul>
  );
}

function Twig({ item, current }: { item: Summary; current: string }) {
  const path = pathOf(item['@id']);
  const isOnWay = current === path || current.startsWith(`${path}/`);
  const [isOpen, setOpen] = useState(isOnWay);
  return (
    <li>
      <div className="twig">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={say('Folders in {title}', { title: item.title })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
        <Link to={linkTo('content', { path })} current={current === path}>
          {item.title || path}
        </Link>
      </div>
      {isOpen && <Branch path={path} current={current} />}
    </li>
  );
}

/** The folders of the site as a tree, open as far as the reader is. */
export const Tree = ({ current }: { current: string }) => (
  <nav className="tree" aria-label={say('Folders')}>
    <div className="twig">
      <Link to={linkTo('content')} current={current === '/'}>
        {say('The whole site')}
      </Link>
    </div>
    <Branch path="/" current={current} />
  </nav>
);
