import type { AnySite, FacetValue, Search, Summary } from '@canopy-server/client';
import { lazy, Suspense, useState } from 'react';
import { useData } from '../lib/data.ts';
import { go, linkTo, route } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf, site } from '../lib/site.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../parts/button.tsx';
import { Ready } from '../parts/notice.tsx';
import { Select } from '../parts/select.tsx';
import { type Order, Pager, Table } from '../parts/table.tsx';
import type { Selection } from './bulk.tsx';
import { COLUMN_CHOICES, contentColumns, withStates } from './columns.tsx';

const Bulk = lazy(() => import('./bulk.tsx').then(({ BulkDialog: B }) => ({ default: B })));
const Upload = lazy(() => import('./upload.tsx').then(({ Upload: U }) => ({ default: U })));

const PAGE_SIZE = 50;
/** Objects that one change of many may have. */
const MAX_BULK = 1000;
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

/** The same search as parameters of `@search`, for a change of all that it finds. */
const bulkQuery = (path: string, { words, type, state, deep }: Choice): Record<string, string> => ({
  'path.query': path,
  ...(deep ? {} : { 'path.depth': '1' }),
  ...(words.trim() === '' ? {} : { SearchableText: `${words.trim()}*` }),
  ...(type === '' ? {} : { portal_type: type }),
  ...(state === '' ? {} : { review_state: state }),
});

function storedColumns(): string[] {
  const stored = localStorage.getItem(COLUMNS_STORED_AT);
  return stored === null ? USUAL_COLUMNS : ['title', ...stored.split(',').filter((id) => id !== 'title')];
}

type FilterProps = { label: string; value: string; values: readonly FacetValue[]; onChange: (value: string) => void };

/** A choice among the values that the results have, with their numbers. */
const Filter = ({ label, value, values, onChange }: FilterProps) => (
  <Select
    {...{ label, value, onChange }}
    options={[
      ['', say('All of them')],
      ...(value === '' || values.some((one) => String(one.value) === value) ? [] : [[value, value] as const]),
      ...values.map((one) => [String(one.value), `${one.title} (${one.count})`] as const),
    ]}
  />
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
export function ContentList({ path, mayUpload, mayChange }: { path: string; mayUpload: boolean; mayChange: boolean }) {
  const { query } = useStore(route);
  const choice = choiceOf(query);
  const [words, setWords] = useState(choice.words);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<{ selection: Selection; total: number }>();
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
              selected={selected}
              {...(mayChange ? { onSelect: setSelected } : {})}
              empty={
                choice.words + choice.type + choice.state === ''
                  ? say('There is nothing here yet.')
                  : say('Nothing was found.')
              }
            />
            {mayChange && batch.total > 0 && (
              <div className="tools">
                <Button
                  isDisabled={selected.size === 0}
                  onPress={() => setBulk({ selection: { items: [...selected].map(pathOf) }, total: selected.size })}
                >
                  {say('Change the selected ones: {total}', { total: selected.size })}
                </Button>
                {batch.total <= MAX_BULK && batch.total > PAGE_SIZE && (
                  <Button
                    onPress={() => setBulk({ selection: { query: bulkQuery(path, choice) }, total: batch.total })}
                  >
                    {say('Change all that were found: {total}', { total: batch.total })}
                  </Button>
                )}
                {batch.total > MAX_BULK && (
                  <span className="soft">
                    {say('No more than {total} can be changed at once: look for fewer.', { total: MAX_BULK })}
                  </span>
                )}
              </div>
            )}
            <Pager start={choice.start} size={PAGE_SIZE} total={batch.total} onMove={(start) => change({ start })} />
          </div>
        )}
      </Ready>
      {bulk && (
        <Suspense fallback={null}>
          <Bulk
            {...bulk}
            isOpen
            onClose={() => setBulk(undefined)}
            onDone={() => {
              setSelected(new Set());
              list.reload();
            }}
          />
        </Suspense>
      )}
      {mayUpload && (
        <Suspense fallback={null}>
          <Upload path={path} onDone={list.reload} />
        </Suspense>
      )}
    </>
  );
}
