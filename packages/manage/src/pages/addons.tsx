import { useState } from 'react';
import { useAction } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ServiceTable } from '../parts/list-page.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Badge, Page } from '../parts/page.tsx';

type Addon = {
  id: string;
  title: string;
  description: string;
  version: string;
  is_installed: boolean;
  upgrade_info: { available?: boolean };
};
type Work = 'install' | 'uninstall' | 'upgrade';
type Plan = { addon: Addon; work: Work; report: string };

/** Add-ons: installed, brought to a newer version, taken away; the last two say first what they would do. */
export default function AddonsPage() {
  const [version, setVersion] = useState(0);
  const [plan, setPlan] = useState<Plan>();
  const action = useAction();
  const serviceOf = ({ id }: Addon, work: Work): string => `@addons/${encodeURIComponent(id)}/${work}`;
  const act = async (addon: Addon, work: Work): Promise<void> => {
    setPlan(undefined);
    if (await action.run(() => ask('POST', serviceOf(addon, work), { body: {} }))) setVersion(version + 1);
  };
  const look = (addon: Addon, work: Work): Promise<boolean> =>
    action.run(async () => {
      const { report } = await ask<{ report: string }>('POST', serviceOf(addon, work), { body: { dry_run: true } });
      setPlan({ addon, work, report });
    });
  return (
    <Page title={say('Add-ons')}>
      <ErrorNotice error={action.error} />
      <ServiceTable<Addon>
        service="@addons"
        isWhole
        version={version}
        caption={say('Add-ons')}
        columns={[
          {
            id: 'title',
            title: say('Title'),
            cell: ({ title, description }) => (
              <>
                <strong>{title}</strong> <span className="soft">{description}</span>
              </>
            ),
          },
          { id: 'version', title: say('Version'), cell: ({ version: number }) => number },
          {
            id: 'state',
            title: say('State'),
            cell: ({ is_installed: isInstalled, upgrade_info: { available } }) => (
              <>
                {isInstalled && <Badge kind="good">{say('Installed')}</Badge>}{' '}
                {available && <Badge kind="info">{say('A newer version waits')}</Badge>}
              </>
            ),
          },
          {
            id: 'do',
            title: '',
            cell: (addon) => (
              <div className="actions">
                {addon.upgrade_info.available && (
                  <Button
                    kind="quiet"
                    label={say('Upgrade: {name}', { name: addon.title })}
                    isDisabled={action.isBusy}
                    onPress={() => void look(addon, 'upgrade')}
                  >
                    {say('Upgrade')}
                  </Button>
                )}
                {addon.is_installed ? (
                  <Button
                    kind="quiet"
                    label={say('Uninstall: {name}', { name: addon.title })}
                    isDisabled={action.isBusy}
                    onPress={() => void look(addon, 'uninstall')}
                  >
                    {say('Uninstall')}
                  </Button>
                ) : (
                  <Button
                    kind="quiet"
                    label={say('Install: {name}', { name: addon.title })}
                    isDisabled={action.isBusy}
                    onPress={() => void act(addon, 'install')}
                  >
                    {say('Install')}
                  </Button>
                )}
              </div>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={say('There is nothing here yet.')}
      />
      <Dialog title={plan?.addon.title ?? ''} isOpen={plan !== undefined} onClose={() => setPlan(undefined)}>
        {plan && (
          <>
            <p>{say('Nothing was changed yet. This would change:')}</p>
            <pre className="report">{plan.report}</pre>
            <div className="form-end">
              <Button kind="danger" onPress={() => void act(plan.addon, plan.work)}>
                {plan.work === 'upgrade' ? say('Upgrade') : say('Uninstall')}
              </Button>
              <Button onPress={() => setPlan(undefined)}>{say('Cancel')}</Button>
            </div>
          </>
        )}
      </Dialog>
    </Page>
  );
}
