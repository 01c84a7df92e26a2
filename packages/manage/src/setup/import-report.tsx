import { useState } from 'react';
import { useList } from '../lib/list.ts';
import { message, say } from '../lib/say.ts';
import { Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { StateBadge, type States } from '../parts/state-badge.tsx';
import { Pager, Table } from '../parts/table.tsx';

type Count = { name: string; created: number; skipped: number; failed: number };
type Reason = { reason: string; effect: string; title: string; advice: string | null; count: number };

/** The report of an import, as the site has it. */
export type Report = {
  dry_run: boolean;
  refused: boolean;
  resumed: boolean;
  format: string;
  counts: Count[];
  types: string[];
  reasons: Reason[];
  again: { conflicts: string; counts: Record<string, number> } | null;
};

type Line = {
  path: string | null;
  file?: string | null;
  key?: string | null;
  message?: string;
  effect?: string;
  change?: string;
  part?: string;
  parts?: string[];
  here?: unknown;
  there?: unknown;
};

const COUNTED: Readonly<Record<string, string>> = {
  objects: message('Objects'),
  files: message('Files'),
  users: message('Users'),
  groups: message('Groups'),
  redirects: message('Old addresses'),
  translations: message('Translations'),
  relations: message('Relations'),
  comments: message('Comments'),
};

const EFFECTS: States = {
  lost: { title: message('Lost'), kind: 'bad' },
  changed: { title: message('Changed'), kind: 'info' },
  kept: { title: message('Kept'), kind: 'plain' },
  added: { title: message('Added'), kind: 'good' },
};

/** Lines that are shown at once. */
const PAGE_SIZE = 50;
const KINDS: readonly (readonly [string, string])[] = [
  ['problem', message('Where the site differs from the export')],
  ['change', message('Changes since the last import')],
  ['conflict', message('Changed here and in the export')],
];

const Effect = ({ of }: { of: string }) => <StateBadge states={EFFECTS} of={of} />;

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** The text of a line beside its place. */
function lineText({ message: text, change, parts, here, there, part }: Line): string {
  if (text !== undefined) return text;
  if (change !== undefined) return [change, ...(parts ?? [])].join(', ');
  return say('{part}: here {here}, in the export {there}', {
    part: part ?? '',
    here: shown(here),
    there: shown(there),
  });
}

/** The lines of one kind, a page at a time. */
function Lines({ id, kind, title }: { id: string; kind: string; title: string }) {
  const [start, setStart] = useState(0);
  const list = useList<Line>(`@imports/${id}/lines`, { kind, b_start: start, b_size: PAGE_SIZE });
  const rows = (list.data?.rows ?? []).map((line, at) => ({ ...line, at: start + at }));
  if (list.data === undefined || (rows.length === 0 && start === 0)) return null;
  return (
    <details>
      <summary>
        <h3>{title}</h3>
      </summary>
      <Table<Line & { at: number }>
        caption={title}
        columns={[
          {
            id: 'place',
            title: say('Place'),
            cell: ({ path, file, key }) => <span className="path">{[path, file, key].filter(Boolean).join(', ')}</span>,
          },
          { id: 'effect', title: say('Effect'), cell: ({ effect }) => effect !== undefined && <Effect of={effect} /> },
          { id: 'what', title: say('What'), cell: (line) => lineText(line) },
        ]}
        rows={rows}
        keyOf={({ at }) => String(at)}
      />
      <Pager start={start} size={PAGE_SIZE} total={list.data.total} onMove={setStart} />
    </details>
  );
}

/** The report of an import: numbers first, then the reasons of differences, then each line. */
export function ImportReport({ id, report, version }: { id: string; report: Report; version: string }) {
  const counts = report.counts.filter(({ created, skipped, failed }) => created + skipped + failed > 0);
  return (
    <Panel title={say('Report')}>
      {report.refused ? (
        <Notice kind="bad">{say('Nothing was imported: something would be lost, or there are conflicts.')}</Notice>
      ) : report.dry_run ? (
        <Notice kind="info">{say('Nothing was changed yet. This would change:')}</Notice>
      ) : (
        <Notice kind="good">{say('The export is imported.')}</Notice>
      )}
      {report.resumed && (
        <p className="soft">{say('The server ended in between: what came before then counts as there already.')}</p>
      )}
      <Table<Count>
        caption={say('Report')}
        columns={[
          { id: 'name', title: say('What'), cell: ({ name }) => say(COUNTED[name] ?? name) },
          { id: 'created', title: say('New'), cell: ({ created }) => created },
          { id: 'skipped', title: say('There already'), cell: ({ skipped }) => skipped },
          { id: 'failed', title: say('Failed'), cell: ({ failed }) => failed },
        ]}
        rows={counts}
        keyOf={({ name }) => name}
      />
      {report.types.length > 0 && <p>{say('New types: {types}', { types: report.types.join(', ') })}</p>}
      <h3>{say('Where the site differs from the export')}</h3>
      <Table<Reason>
        caption={say('Where the site differs from the export')}
        columns={[
          { id: 'effect', title: say('Effect'), cell: ({ effect }) => <Effect of={effect} /> },
          { id: 'count', title: say('Objects'), cell: ({ count }) => count },
          {
            id: 'what',
            title: say('What'),
            cell: ({ title, advice }) => (
              <>
                {title}
                {advice !== null && <div className="soft">{advice}</div>}
              </>
            ),
          },
        ]}
        rows={report.reasons}
        keyOf={({ reason }) => reason}
        empty={say('Everything is as it was in the export.')}
      />
      {KINDS.map(([kind, title]) => (
        <Lines key={`${kind} ${version}`} id={id} kind={kind} title={say(title)} />
      ))}
    </Panel>
  );
}
