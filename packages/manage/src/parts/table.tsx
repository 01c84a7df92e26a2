import type { ReactNode } from 'react';
import { say } from '../lib/say.ts';
import { Button } from './button.tsx';

export type Column<Row> = {
  id: string;
  title: string;
  /** The index that the list is sorted by; none for a column that cannot be sorted. */
  sort?: string;
  cell: (row: Row) => ReactNode;
};

export type Order = { by: string; descending: boolean };

type TableProps<Row> = {
  /** The name of the list, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The name of a row, for the box that selects it. */
  nameOf?: (row: Row) => string;
  order?: Order | undefined;
  onOrder?: (order: Order) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  empty?: ReactNode;
};

function HeadCell<Row>({
  column,
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: Order | undefined;
  onOrder?: (order: Order) => void;
}) {
  const { sort, title } = column;
  // The column of buttons, which say themselves what they do.
  if (title === '') return <td />;
  if (sort === undefined || !onOrder) return <th scope="col">{title}</th>;
  const isSorted = order?.by === sort;
  return (
    <th scope="col" aria-sort={!isSorted ? 'none' : order.descending ? 'descending' : 'ascending'}>
      <button type="button" onClick={() => onOrder({ by: sort, descending: isSorted && !order.descending })}>
        {title}
        <span className="sorted" aria-hidden="true">
          {isSorted ? (order.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}

/** A list as a table, which becomes a list of cards where the window is narrow. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, nameOf, order, onOrder, selected, onSelect, empty } = props;
  const keys = rows.map(keyOf);
  const allSelected = keys.length > 0 && selected !== undefined && keys.every((key) => selected.has(key));
  const toggle = (changed: readonly string[], on: boolean): void => {
    const next = new Set(selected);
    for (const key of changed)
      if (on) next.add(key);
      else next.delete(key);
    onSelect?.(next);
  };
  if (rows.length === 0) return <p className="empty">{empty ?? say('Nothing here.')}</p>;
  return (
    <div className="table-box">
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {onSelect && (
              <td className="select">
                <input
                  type="checkbox"
                  checked={allSelected}
                  onChange={({ target }) => toggle(keys, target.checked)}
                  aria-label={say('Select all of this page')}
                />
              </td>
            )}
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const key = keys[index] ?? '';
            return (
              <tr key={key} className={selected?.has(key) ? 'selected' : undefined}>
                {onSelect && (
                  <td className="select">
                    <input
                      type="checkbox"
                      checked={selected?.has(key) ?? false}
                      onChange={({ target }) => toggle([key], target.checked)}
                      aria-label={say('Select {name}', { name: nameOf?.(row) ?? key })}
                    />
                  </td>
                )}
                {columns.map(({ id, title, cell }) => (
                  <td key={id} data-label={title}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type PagerProps = { start: number; size: number; total: number; onMove: (start: number) => void };

/** The part of a long list that is shown, and the way to the others. */
export function Pager({ start, size, total, onMove }: PagerProps) {
  if (total <= size && start === 0) return <p className="soft pager">{say('Entries: {total}', { total })}</p>;
  const last = Math.max(0, Math.floor((total - 1) / size) * size);
  return (
    <nav className="pager" aria-label={say('Pages of the list')}>
      <span>{say('{from} to {to} of {total}', { from: start + 1, to: Math.min(start + size, total), total })}</span>
      <Button kind="quiet" isDisabled={start === 0} onPress={() => onMove(0)}>
        {say('First')}
      </Button>
      <Button kind="quiet" isDisabled={start === 0} onPress={() => onMove(Math.max(0, start - size))}>
        {say('Back')}
      </Button>
      <Button kind="quiet" isDisabled={start + size >= total} onPress={() => onMove(start + size)}>
        {say('Next')}
      </Button>
      <Button kind="quiet" isDisabled={start >= last} onPress={() => onMove(last)}>
        {say('Last')}
      </Button>
    </nav>
  );
}
