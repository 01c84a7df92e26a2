import { useState } from 'react';
import { useAction, useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice, Ready } from '../parts/notice.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';

type Upgrade = {
  versions: { fs: string; instance: string };
  upgrade_steps: Readonly<Record<string, { id: string; title: string }[]>>;
};
type Outcome = { report: string; dry_run: boolean };

/** The upgrade of the set-up: what waits, what it would change, and doing it. */
export default function UpgradePage() {
  const upgrade = useData('upgrade', (signal) => ask<Upgrade>('GET', '@upgrade', { signal }));
  const [outcome, setOutcome] = useState<Outcome>();
  const action = useAction();
  const run = (dryRun: boolean): Promise<boolean> =>
    action.run(async () => {
      setOutcome(await ask<Outcome>('POST', '@upgrade', { body: { dry_run: dryRun } }));
      if (!dryRun) upgrade.reload();
    });
  return (
    <Page
      title={say('Upgrade')}
      lead={say('The set-up that a new version of the program brings. What the site has changed stays.')}
    >
      <ErrorNotice error={action.error} />
      <Ready of={upgrade}>
        {({ versions, upgrade_steps: steps }) => (
          <Panel title={versions.fs === versions.instance ? say('No upgrade waits.') : say('An upgrade waits.')}>
            <Facts
              of={[
                [say('Version of the site'), versions.instance],
                [say('Version of the program'), versions.fs],
              ]}
            />
            <ul className="bare">
              {Object.values(steps)
                .flat()
                .map(({ id, title }) => (
                  <li key={id}>{title}</li>
                ))}
            </ul>
            <div className="actions">
              <Button isDisabled={action.isBusy} onPress={() => void run(true)}>
                {say('What would change')}
              </Button>
              <Button
                kind="primary"
                isDisabled={action.isBusy || versions.fs === versions.instance}
                onPress={() => void run(false)}
              >
                {say('Upgrade')}
              </Button>
            </div>
          </Panel>
        )}
      </Ready>
      {outcome && (
        <Panel title={say('Report')}>
          <Notice kind={outcome.dry_run ? 'info' : 'good'}>
            {outcome.dry_run ? say('Nothing was changed yet. This would change:') : say('Done')}
          </Notice>
          <pre className="report">{outcome.report}</pre>
        </Panel>
      )}
    </Page>
  );
}
