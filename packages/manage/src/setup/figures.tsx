import { useData } from '../lib/data.ts';
import { bytes, count } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Chart } from '../parts/chart.tsx';
import { Ready } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';

type Minute = { time: string } & Record<'requests' | 'failed', number> &
  Record<'median' | 'slow' | 'cached' | 'waiting' | 'stored', number | null>;

const milliseconds = (value: number): string => `${count(Math.round(value * 10) / 10)} ms`;
const percent = (value: number): string => `${count(Math.round(value * 100))} %`;

/** The charts, each with the figure that it shows. */
const charts = (): readonly (readonly [keyof Minute, string, (value: number) => string])[] => [
  ['requests', say('Requests in a minute'), count],
  ['failed', say('Failed requests'), count],
  ['median', say('Time of half of the requests'), milliseconds],
  ['slow', say('Time of 95 of 100 requests'), milliseconds],
  ['cached', say('From caches'), percent],
  ['waiting', say('Work that waits'), count],
  ['stored', say('Size of the database'), bytes],
];

/** The figures of the last hours as small charts, loaded again when `turn` changes. */
export function Figures({ turn }: { turn: number }) {
  const figures = useData(`figures ${turn}`, (signal) => ask<{ items: Minute[] }>('GET', '@figures', { signal }));
  return (
    <Panel title={say('The last hours')}>
      <Ready of={figures}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="empty">{say('The server has just started: there are figures in two minutes.')}</p>
          ) : (
            <div className="charts">
              {charts().map(([name, title, show]) => (
                <Chart
                  key={name}
                  title={title}
                  show={show}
                  points={items.map((minute) => ({
                    time: minute.time,
                    value: minute[name] === null ? null : Number(minute[name]),
                  }))}
                />
              ))}
            </div>
          )
        }
      </Ready>
    </Panel>
  );
}
