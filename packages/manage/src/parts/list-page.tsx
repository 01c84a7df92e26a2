import { type ReactNode, useState } from 'react';
import { useList } from '../lib/list.ts';
import { say } from '../lib/say.ts';
import { Button } from './button.tsx';
import { Ready } from './notice.tsx';
import { SearchBox } from './search-box.tsx';
import { type Column, Table } from './table.tsx';

const PAGE_SIZE = 50;

type ServiceTableProps<Row> = {
  /** The service with the list, which takes `b_start` and `b_size`. */
  service: string;
  caption: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** The parameter that searches the list; none for a list without a search. */
  searchBy?: string;
  query?: Readonly<Record<string, unknown>>;
  /** The service sends the whole list, and takes no batches. */
  isWhole?: boolean;
  /** Changes when the list has to be loaded again. */
  version?: number;
  empty?: ReactNode;
};

/** The list of a service as a table, a page at a time. One row more than shown says if there are others. */
export function ServiceTable<Row>({
  service,
  caption,
  columns,
  keyOf,
  searchBy,
  query,
  isWhole = false,
  version,
  empty,
}: ServiceTableProps<Row>) {
  const [start, setStart] = useState(0);
  const [words, setWords] = useState('');
  const list = useList<Row>(
    service,
    {
      ...query,
      ...(searchBy === undefined ? {} : { [searchBy]: words || undefined }),
      ...(isWhole ? {} : { b_start: start, b_size: PAGE_SIZE + 1 }),
    },
    version,
  );
  return (
    <>
      {searchBy !== undefined && (
        <SearchBox
          value={words}
          onChange={(next) => {
            setWords(next);
            setStart(0);
          }}
        />
      )}
      <Ready of={list}>
        {({ rows }) => (
          <>
            <Table
              caption={caption}
              columns={columns}
              rows={isWhole ? rows : rows.slice(0, PAGE_SIZE)}
              keyOf={keyOf}
              empty={empty}
            />
            {!isWhole && (start > 0 || rows.length > PAGE_SIZE) && (
              <nav className="pager" aria-label={say('Pages of the list')}>
                <Button kind="quiet" isDisabled={start === 0} onPress={() => setStart(Math.max(0, start - PAGE_SIZE))}>
                  {say('Back')}
                </Button>
                <Button kind="quiet" isDisabled={rows.length <= PAGE_SIZE} onPress={() => setStart(start + PAGE_SIZE)}>
                  {say('Next')}
                </Button>
              </nav>
            )}
          </>
        )}
      </Ready>
    </>
  );
}
