import type { Batch, Summary } from '@canopy-server/client';
import { dateTime } from '../lib/format.ts';
import { linkTo } from '../lib/route.ts';
import { message, say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { Badge } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The state of an object, with a colour for the usual ones. */
export const State = ({ id, title }: { id: unknown; title?: string | undefined }) => {
  const name = textOf(id);
  return name === '' ? null : <Badge kind={`state-${name}`}>{title || name}</Badge>;
};

/** Columns of lists of content. A column is a member of the summaries that the site returns. */
const COLUMNS: readonly (Column<Summary> & { member?: string })[] = [
  {
    id: 'title',
    title: message('Title'),
    sort: 'sortable_title',
    member: 'is_folderish',
    cell: (item) => (
      <Link to={linkTo('content', { path: pathOf(item['@id']) })} className="name">
        <Icon name={item.is_folderish === true ? 'content' : 'file'} />
        {item.title || pathOf(item['@id'])}
      </Link>
    ),
  },
  { id: 'type', title: message('Type'), sort: 'portal_type', cell: (item) => textOf(item.type_title) || item['@type'] },
  {
    id: 'state',
    title: message('State'),
    sort: 'review_state',
    cell: (item) => <State id={item.review_state} title={textOf(item.state_title)} />,
  },
  {
    id: 'modified',
    title: message('Changed'),
    sort: 'modified',
    member: 'modified',
    cell: (item) => dateTime(item.modified),
  },
  {
    id: 'created',
    title: message('Created'),
    sort: 'created',
    member: 'created',
    cell: (item) => dateTime(item.created),
  },
  {
    id: 'effective',
    title: message('Published'),
    sort: 'effective',
    member: 'effective',
    cell: (item) => publishedAt(item.effective),
  },
  {
    id: 'creator',
    title: message('Creator'),
    sort: 'Creator',
    member: 'Creator',
    cell: (item) => textOf(item.Creator),
  },
  { id: 'path', title: message('Path'), cell: (item) => <span className="path">{pathOf(item['@id'])}</span> },
  { id: 'size', title: message('Size'), member: 'getObjSize', cell: (item) => textOf(item.getObjSize) },
];

/** The results with the titles of their states, which only the counts of the states have. */
export const withStates = ({ items, facets }: Batch<Summary>): Summary[] =>
  items.map((item) => ({
    ...item,
    state_title: facets.review_state?.find(({ value }) => value === item.review_state)?.title,
  }));

/** Content that was never published has a date before everything. */
const publishedAt = (value: unknown): string => (textOf(value).startsWith('1969') ? '' : dateTime(value));

export const COLUMN_CHOICES: readonly { id: string; title: string }[] = COLUMNS;

/** The columns with these ids, in the usual order, with titles in the language of the page. */
export const contentColumns = (ids: readonly string[]): (Column<Summary> & { member?: string })[] =>
  COLUMNS.filter(({ id }) => ids.includes(id)).map((column) => ({ ...column, title: say(column.title) }));
