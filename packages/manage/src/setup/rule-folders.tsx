import { useState } from 'react';
import { placeOf } from '../content/object.ts';
import { useAction } from '../lib/data.ts';
import { linkTo } from '../lib/route.ts';
import { say } from '../lib/say.ts';
import { pathOf } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Link } from '../parts/link.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { OneField } from '../parts/one-field.tsx';
import { Panel } from '../parts/page.tsx';

export type RuleFolder = { url: string; title: string; enabled: boolean; bubbles: boolean };

type RuleFoldersProps = { rule: string; folders: readonly RuleFolder[]; onChange: () => void };

/** The folders that have a rule. */
export function RuleFolders({ rule, folders, onChange }: RuleFoldersProps) {
  const [isDeep, setDeep] = useState(true);
  const action = useAction();
  const change = async (place: string, send: (of: ReturnType<typeof placeOf>) => Promise<void>): Promise<boolean> => {
    const isDone = await action.run(() => send(placeOf(place)));
    if (isDone) onChange();
    return isDone;
  };
  const bubble = (bubbles: boolean) => ({
    [bubbles ? 'form.button.Bubble' : 'form.button.NoBubble']: true,
    rule_ids: [rule],
  });
  const assign = (path: string): Promise<boolean> =>
    change(path, async (place) => {
      await place.request('POST', `@content-rules/${encodeURIComponent(rule)}`);
      if (isDeep) await place.request('PATCH', '@content-rules', { body: bubble(true) });
    });
  return (
    <Panel title={say('Folders that have the rule')}>
      <ErrorNotice error={action.error} />
      <ul className="chosen">
        {folders.map(({ url, bubbles }) => {
          const place = pathOf(url);
          return (
            <li key={url}>
              <Link to={linkTo('content', { path: place })}>{place}</Link>
              <label className="box">
                <input
                  type="checkbox"
                  checked={bubbles}
                  aria-label={say('Everything below {path}', { path: place })}
                  onChange={({ target }) =>
                    void change(place, (of) => of.request('PATCH', '@content-rules', { body: bubble(target.checked) }))
                  }
                />
                {say('Everything below')}
              </label>
              <Button
                kind="quiet"
                label={say('Remove {name}', { name: place })}
                onPress={() =>
                  void change(place, (of) => of.request('DELETE', '@content-rules', { body: { rule_ids: [rule] } }))
                }
              >
                ×
              </Button>
            </li>
          );
        })}
      </ul>
      <OneField
        label={say('Path of a folder')}
        button={say('Give the folder the rule')}
        initial="/"
        isBusy={action.isBusy}
        isValid={(path) => path.startsWith('/')}
        onSend={assign}
      >
        <label className="box">
          <input type="checkbox" checked={isDeep} onChange={({ target }) => setDeep(target.checked)} />
          {say('Everything below')}
        </label>
      </OneField>
    </Panel>
  );
}
