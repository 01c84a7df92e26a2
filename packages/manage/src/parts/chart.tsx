import { dateTime } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { Table } from './table.tsx';

/** A measured value at a time; null where nothing was measured. */
export type Point = { time: string; value: number | null };

const WIDTH = 240;
const HEIGHT = 48;

/** The line through the points, broken where nothing was measured. */
function lineOf(points: readonly Point[], most: number): string {
  const step = WIDTH / Math.max(1, points.length - 1);
  let isOpen = false;
  return points
    .map(({ value }, at) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${(at * step).toFixed(1)} ${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`;
    })
    .join('');
}

/** A small chart with its newest and its largest value, and the values as a table for those who read them. */
export function Chart({
  title,
  points,
  show,
}: {
  title: string;
  points: readonly Point[];
  show: (value: number) => string;
}) {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = points.at(-1)?.value ?? null;
  const most = Math.max(...known, 0);
  const shown = (value: number | null): string => (value === null ? '–' : show(value));
  return (
    <figure className="chart">
      <figcaption>
        {title} <strong>{shown(last)}</strong>{' '}
        <span className="soft">{say('At most {value}', { value: shown(known.length === 0 ? null : most) })}</span>
      </figcaption>
      <svg className="chart-picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="chart-line" d={lineOf(points, most === 0 ? 1 : most)} />
      </svg>
      <details className="chart-values">
        <summary>{say('As a table')}</summary>
        <Table<Point>
          caption={title}
          columns={[
            { id: 'time', title: say('Time'), cell: ({ time }) => dateTime(time) },
            { id: 'value', title, cell: ({ value }) => shown(value) },
          ]}
          rows={points}
          keyOf={({ time }) => time}
        />
      </details>
    </figure>
  );
}
