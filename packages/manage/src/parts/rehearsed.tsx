import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { type Rehearsal, rehearse, rowsOf } from '../lib/rehearse.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from './button.tsx';
import { ErrorNotice, Notice } from './notice.tsx';
import { Facts } from './page.tsx';

const MAX_SHOWN = 20;

/** The effect of a write: numbers of content, then the changes in words. */
export function Effect({ of }: { of: Rehearsal }) {
  const words = of.changes.filter(({ text }) => text !== undefined);
  const others = Math.max(0, words.length - MAX_SHOWN) + (of.more_changes ?? 0);
  const outgoing = of.changes.filter(({ type }) => type === 'outgoing').length;
  return (
    <Notice kind="info">
      <p>{say('Nothing was changed yet. This would change:')}</p>
      <Facts
        of={[
          [say('Objects'), rowsOf(of, 'content')],
          [say('Entries in lists and searches'), rowsOf(of, 'catalog')],
          ...(outgoing > 0 ? [[say('Mails and requests that would leave'), outgoing] as const] : []),
        ]}
      />
      <ul className="bare">
        {words.slice(0, MAX_SHOWN).map(({ path, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={index}>
            {path !== undefined && <span className="path">{path}</span>} {text}
          </li>
        ))}
      </ul>
      {others > 0 && <p className="soft">{say('More of them: {total}', { total: others })}</p>}
    </Notice>
  );
}

type RehearsedProps = {
  method: string;
  service: string;
  /** The body of the write; undefined while there is nothing to change. */
  body: unknown;
  onDone: () => void;
};

/** Two buttons for a write: one that says what it would change, one that does it. */
export function Rehearsed({ method, service, body, onDone }: RehearsedProps) {
  const [tried, setTried] = useState<{ for: string; effect: Rehearsal }>();
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const key = JSON.stringify(body);
  const attempt = (): Promise<boolean> =>
    action.run(async () => setTried({ for: key, effect: await rehearse(method, service, body) }));
  const save = async (): Promise<void> => {
    const done = await action.run(() => ask(method, service, { body }));
    setSaved(done);
    if (!done) return;
    setTried(undefined);
    onDone();
  };
  const isIdle = body === undefined || action.isBusy;
  return (
    <div className="form-end sticky wide">
      {isSaved && body === undefined && <Notice kind="good">{say('Saved.')}</Notice>}
      <ErrorNotice error={action.error} />
      {tried !== undefined && tried.for === key && <Effect of={tried.effect} />}
      <Button isDisabled={isIdle} onPress={() => void attempt()}>
        {say('What would change')}
      </Button>
      <Button kind="primary" isDisabled={isIdle} onPress={() => void save()}>
        {say('Save')}
      </Button>
    </div>
  );
}
