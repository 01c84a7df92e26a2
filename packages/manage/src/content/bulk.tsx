import { useState } from 'react';
import { useTerms } from '../form/vocabulary.ts';
import { useAction } from '../lib/data.ts';
import { count } from '../lib/format.ts';
import type { Rehearsal } from '../lib/rehearse.ts';
import { say } from '../lib/say.ts';
import { ask, site } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { Effect } from '../parts/rehearsed.tsx';
import { Select } from '../parts/select.tsx';

/** The objects to change: single objects by their paths, or all that a search finds. */
export type Selection = { items: readonly string[] } | { query: Readonly<Record<string, string>> };
type Kind = 'transition' | 'tags' | 'untag' | 'move' | 'copy' | 'delete';
type Outcome = { item: string; outcome: string; reason: string | null };
type Report = { changed: number; unchanged: number; refused: number; items: Outcome[] };
type Started = { '@id': string; job: string; total: number };

const TRANSITION = { vocabulary: { '@id': '@vocabularies/workflowTransitions' } };

const isStarted = (answer: Report | Started): answer is Started => 'job' in answer;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Milliseconds between two looks at the job of a large change. */
const LOOK_MS = 1000;

/** The change as the site takes it. */
function changeOf(kind: Kind, value: string): object {
  const tags = value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  switch (kind) {
    case 'transition':
      return { transition: { id: value } };
    case 'tags':
      return { tags: { add: tags } };
    case 'untag':
      return { tags: { remove: tags } };
    case 'delete':
      return { delete: {} };
    default:
      return { [kind]: { target: value } };
  }
}

const Result = ({ report }: { report: Report }) => {
  const refused = report.items.filter(({ outcome }) => outcome === 'refused');
  return (
    <Notice kind={report.refused > 0 ? 'bad' : 'good'}>
      <p>
        {say('Changed: {changed}. As they should be: {unchanged}. Refused: {refused}.', {
          changed: report.changed,
          unchanged: report.unchanged,
          refused: report.refused,
        })}
      </p>
      <ul className="bare">
        {refused.slice(0, 50).map(({ item, reason }) => (
          <li key={item}>
            <span className="path">{item}</span> {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

type BulkProps = {
  selection: Selection;
  total: number;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** One change of many objects: it is tried, made, and followed where a job makes it. */
export function BulkDialog({ selection, total, isOpen, onClose, onDone }: BulkProps) {
  const [kind, setKind] = useState<Kind>('tags');
  const [value, setValue] = useState('');
  const [tried, setTried] = useState<Report & Rehearsal>();
  const [report, setReport] = useState<Report>();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const action = useAction();
  const { terms: transitions } = useTerms(TRANSITION);
  const body = { ...selection, change: changeOf(kind, value) };
  const isReady = kind === 'delete' || value.trim() !== '';
  const look = (): Promise<boolean> =>
    action.run(async () => setTried(await ask<Report & Rehearsal>('POST', '@bulk', { body, query: { dry_run: 1 } })));
  /** Follows the job of a large change until it is over. */
  const follow = async ({ '@id': address, job, total: all }: Started): Promise<Report> => {
    const serviceOf = (of: string): string => (site().pathOf(of) ?? of).replace(/^\//, '');
    for (;;) {
      const { status, progress: now } = await ask<{ status: string; progress: { done?: number } | null }>(
        'GET',
        serviceOf(job),
      );
      setProgress({ done: now?.done ?? 0, total: all });
      if (status !== 'created' && status !== 'running') break;
      await wait(LOOK_MS);
    }
    setProgress(undefined);
    return ask<Report>('GET', serviceOf(address), { query: { outcome: 'refused' } });
  };
  const act = (): Promise<boolean> =>
    action.run(async () => {
      setTried(undefined);
      const answer = await ask<Report | Started>('POST', '@bulk', { body });
      setReport(isStarted(answer) ? await follow(answer) : answer);
      onDone();
    });
  const change = (next: Kind): void => {
    setKind(next);
    setValue('');
    setTried(undefined);
    setReport(undefined);
  };
  const kinds: readonly (readonly [Kind, string])[] = [
    ['tags', say('Add tags')],
    ['untag', say('Take tags away')],
    ['transition', say('Change the state')],
    ['move', say('Move')],
    ['copy', say('Copy')],
    ['delete', say('Delete')],
  ];
  return (
    <Dialog title={say('Change {total} objects', { total })} isOpen={isOpen} onClose={onClose}>
      <Select
        label={say('What to do')}
        value={kind}
        options={kinds}
        onChange={(chosen) => {
          const found = kinds.find(([id]) => id === chosen);
          if (found) change(found[0]);
        }}
      />
      {kind === 'transition' ? (
        <Select
          label={say('Transition')}
          value={value}
          options={[['', say('No value')], ...transitions.map(({ token, title }) => [token, title] as const)]}
          onChange={setValue}
        />
      ) : (
        kind !== 'delete' && (
          <label className="filter">
            <span>
              {kind === 'tags' || kind === 'untag' ? say('Tags, with commas between') : say('Path of a folder')}
            </span>
            <input value={value} onChange={({ target }) => setValue(target.value)} />
          </label>
        )
      )}
      <ErrorNotice error={action.error} />
      {progress && (
        <p role="status">
          <progress value={progress.done} max={progress.total} aria-label={say('Progress')} />{' '}
          {say('{done} done of {total}', progress)}
        </p>
      )}
      {tried && <Result report={tried} />}
      {tried && <Effect of={tried} />}
      {report && <Result report={report} />}
      <div className="form-end">
        <Button isDisabled={action.isBusy || !isReady} onPress={() => void look()}>
          {say('What would change')}
        </Button>
        <Button
          kind={kind === 'delete' ? 'danger' : 'primary'}
          isDisabled={action.isBusy || !isReady}
          onPress={() => void act()}
        >
          {say('Change {total} objects', { total: count(total) })}
        </Button>
        <Button onPress={onClose}>{say('Close')}</Button>
      </div>
    </Dialog>
  );
}
