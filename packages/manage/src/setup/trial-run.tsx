import { useState } from 'react';
import { placeOf } from '../content/object.ts';
import { useAction, useData } from '../lib/data.ts';
import type { Rehearsal } from '../lib/rehearse.ts';
import { say } from '../lib/say.ts';

import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { Effect } from '../parts/rehearsed.tsx';
import { Select } from '../parts/select.tsx';

type Workflow = { transitions: { '@id': string; title: string }[] };

/** Does something to content that sets rules off, undoes it, and shows what would have come of it. */
export function TrialRun() {
  const [path, setPath] = useState('');
  const [what, setWhat] = useState('');
  const [effect, setEffect] = useState<Rehearsal>();
  const action = useAction();
  const place = path.startsWith('/') && path !== '/' ? placeOf(path) : undefined;
  const workflow = useData(
    `workflow of ${path}`,
    async (signal): Promise<Workflow | undefined> => place?.request<Workflow>('GET', '@workflow', { signal }),
  );
  const run = (): Promise<boolean> =>
    action.run(async () => {
      setEffect(undefined);
      if (!place) return;
      const query = { dry_run: 1 };
      if (what === 'remove') setEffect(await place.request<Rehearsal>('DELETE', '', { query }));
      else if (what === 'copy') {
        const target = placeOf(path.slice(0, path.lastIndexOf('/')) || '/');
        setEffect(await target.request<Rehearsal>('POST', '@copy', { query, body: { source: path } }));
      } else setEffect(await place.request<Rehearsal>('POST', `@workflow/${what}`, { query, body: {} }));
    });
  const choices = [
    ...(workflow.data?.transitions ?? []).map(({ '@id': address, title }) => ({
      id: address.slice(address.lastIndexOf('/') + 1),
      title,
    })),
    { id: 'copy', title: say('Copy it beside itself') },
    { id: 'remove', title: say('Delete') },
  ];
  return (
    <Panel title={say('Trial run')}>
      <p>{say('All rules that are on run, then everything is undone. Nothing leaves the site.')}</p>
      <form
        className="tools"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label className="filter grow">
          <span>{say('Path of content')}</span>
          <input
            value={path}
            onChange={({ target }) => {
              setPath(target.value);
              setWhat('');
            }}
          />
        </label>
        <Select
          label={say('What happens to it')}
          value={what}
          options={[['', say('No value')], ...choices.map(({ id, title }) => [id, title] as const)]}
          onChange={setWhat}
        />
        <Button type="submit" isDisabled={action.isBusy || place === undefined || what === ''}>
          {say('Try it')}
        </Button>
      </form>
      <ErrorNotice error={action.error} />
      {effect && <Effect of={effect} />}
    </Panel>
  );
}
