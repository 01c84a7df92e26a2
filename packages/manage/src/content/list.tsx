import type { AnySite, FacetValue, Search, Summary } from '@canopy-server/client';
import { lazy, Suspense, useState } from 'react';
import { useData } from '../lib/data.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { site } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Ready } from '../parts/notice.tsx';
import { type Order, Pager, Table } from '../parts/table.tsx';
import { COLUMN_CHOICES, contentColumns, withStates } from './columns.tsx';

const Upload = lazy(() => import('./upload.tsx').then(({ Upload: U }) => ({ default: U })));

const PAGE_SIZE = 50;
const COLUMNS_STORED_AT = 'canopy.columns';
const USUAL_COLUMNS = ['title', 'type', 'state', 'modified'];
/** The order of a container, and that of a search. */
const USUAL_ORDER: Order = { by: 'getObjPositionInParent', descending: false };

type Choice = { words: string; type: string; state: string; deep: boolean; order: Order; start: number };

/** The choice of the reader, as the address has it, so that a link leads to the same list. */
function choiceOf(query: URLSearchParams): Choice {
  const sort = query.get('sort');
  return {
    words: query.get('words') ?? '',
    type: query.get('type') ?? '',
    state: query.get('state') ?? '',
    deep: query.get('deep') === '1',
    order: sort === null ? USUAL_ORDER : { by: sort, descending: query.get('order') === 'descending' },
    start: Math.max(0, Number(query.get('start')) || 0),
  };
}

function searchOf(path: string, { words, type, state, deep }: Choice): Search<AnySite> {
  return {
    path: deep ? path : { query: path, depth: 1 },
    ...(words.trim() === '' ? {} : { SearchableText: `${words.trim()}*` }),
    ...(type === '' ? {} : { portal_type: type }),
    ...(state === '' ? {} : { review_state: state }),
  };
}

function storedColumns(): string[] {
  const stored = localStorage.getItem(COLUMNS_STORED_AT);
  return stored === null ? USUAL_COLUMNS : ['title', ...stored.split(',').filter((id) => id !== 'title')];
}

type FilterProps = { label: string; value: string; values: readonly FacetValue[]; onChange: (value: string) => void };

/** A choice among the values that the results have, with their numbers. */
const Filter = ({ label, value, values, onChange }: FilterProps) => (
  <label className="filter">
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{say('All of them')}</option>
      {value !== '' && !values.some((one) => String(one.value) === value) && <option value={value}>{value}</option>}
      {values.map((one) => (
        <option key={String(one.value)} value={String(one.value)}>
          {`${one.title} (${one.count})`}
        </option>
      ))}
    </select>
  </label>
);

const ColumnChooser = ({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) => (
  <details className="chooser">
    <summary className="button quiet">{say('Columns')}</summary>
    <div className="popover open">
      {COLUMN_CHOICES.filter(({ id }) => id !== 'title').map(({ id, title }) => (
        <label key={id} className="box">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
          {say(title)}
        </label>
      ))}
    </div>
  </details>
);

/** The content of a container: searched, filtered, sorted, a page at a time. */
export function ContentList({ path, mayUpload }: { path: string; mayUpload: boolean }) {
  const { query } = useStore(route);
  const choice = choiceOf(query);
  const [words, setWords] = useState(choice.words);
  const [columnIds, setColumnIds] = useState(storedColumns);
  const columns = contentColumns(columnIds);
  const members = ['modified', 'is_folderish', 'type_title', ...columns.flatMap(({ member }) => member ?? [])];
  const change = (next: Partial<Choice>): void => {
    const { words: w, type, state, deep, order, start } = { ...choice, start: 0, ...next };
    const isUsual = order.by === USUAL_ORDER.by;
    go(
      linkTo('content', {
        ...{ path, words: w, type, state, deep: deep ? '1' : '' },
        ...(isUsual ? {} : { sort: order.by, order: order.descending ? 'descending' : '' }),
        start: start === 0 ? '' : start,
      }),
    );
  };
  const list = useData(`list ${path} ${JSON.stringify(choice)} ${members.join()}`, (signal) =>
    site()
      .search(searchOf(path, choice), {
        ...{ sort: choice.order.by, order: choice.order.descending ? 'descending' : 'ascending' },
        ...{ size: PAGE_SIZE, start: choice.start, columns: [...new Set(members)], signal },
        ...{ facets: ['portal_type', 'review_state'], facetLimit: 30 },
      })
      .first(),
  );
  return (
    <>
      <search className="tools">
        <form
          className="find"
          onSubmit={(event) => {
            event.preventDefault();
            change({ words });
          }}
        >
          <label className="filter grow">
            <span>{say('Search')}</span>
            <input
              type="search"
              value={words}
              onChange={({ target }) => setWords(target.value)}
              placeholder={say('Words of titles and texts')}
            />
          </label>
        </form>
        <Filter
          label={say('Type')}
          value={choice.type}
          values={list.data?.facets.portal_type ?? []}
          onChange={(type) => change({ type })}
        />
        <Filter
          label={say('State')}
          value={choice.state}
          values={list.data?.facets.review_state ?? []}
          onChange={(state) => change({ state })}
        />
        <label className="box">
          <input type="checkbox" checked={choice.deep} onChange={({ target }) => change({ deep: target.checked })} />
          {say('Everything below')}
        </label>
        <ColumnChooser
          chosen={columnIds}
          onChange={(ids) => {
            localStorage.setItem(COLUMNS_STORED_AT, ids.join());
            setColumnIds(ids);
          }}
        />
      </search>
      <Ready of={list}>
        {(batch) => (
          <div className={list.isLoading ? 'busy' : undefined}>
            <Table<Summary>
              caption={say('Content of this folder')}
              columns={columns}
              rows={withStates(batch)}
              keyOf={(item) => item['@id']}
              nameOf={(item) => item.title}
              order={choice.order}
              onOrder={(order) => change({ order })}
              empty={
                choice.words + choice.type + choice.state === ''
                  ? say('There is nothing here yet.')
                  : say('Nothing was found.')
              }
            />
            <Pager start={choice.start} size={PAGE_SIZE} total={batch.total} onMove={(start) => change({ start })} />
          </div>
        )}
      </Ready>
      {mayUpload && (
        <Suspense fallback={null}>
          <Upload path={path} onDone={list.reload} />
        </Suspense>
      )}
    </>
  );
}
