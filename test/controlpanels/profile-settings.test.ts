import { describe, expect, it } from 'vitest';
import { settingRows } from '../../src/core/configuration/panels/panel-change.ts';
import { loadProfile } from '../../src/core/configuration/profiles/profile.ts';
import { buildSite } from '../../src/core/configuration/site/build-site.ts';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { profileNames } from '../profiles/load-profile.ts';
import { quickestEngine } from '../support/database.ts';
import { registries } from '../support/registries.ts';
import { useTestSite } from '../support/use-site.ts';

describe.each(profileNames())('the settings of the profile %s', (name) => {
  const running = useTestSite(quickestEngine());
  const { rows } = loadProfile(name);
  const site = buildSite('0', rows, registries);

  it('a profile stores settings of the control panels and no others', () => {
    const offered = running.kernel.panels
      .all()
      .filter(({ store }) => store === undefined)
      .flatMap(({ id, settings }) =>
        settings.filter(({ withoutEffect }) => !withoutEffect).map(({ name: key }) => `${id}.${key}`),
      );
    const stored = [...site.settings].flatMap(([id, values]) => Object.keys(values).map((key) => `${id}.${key}`));
    expect(stored.filter((setting) => !offered.includes(setting))).toEqual([]);
  });

  it('the control panels accept the settings of a profile', () => {
    const bare = buildSite(
      '0',
      rows.filter(({ kind }) => kind !== KINDS.setting),
      registries,
    );
    const changes = running.kernel.panels.all().flatMap((panel) =>
      panel.settings.flatMap((setting) => {
        const value = site.settings.get(panel.id)?.[setting.name];
        return value === undefined ? [] : [{ panel, setting, value }];
      }),
    );
    const editor = { requirePermission() {}, nameOf: (panel: { id: string }, key: string) => `${panel.id}.${key}` };
    const taken = settingRows(running.kernel, bare, { changes, problems: [] }, editor);
    for (const { id, data } of taken) expect(site.settings.get(id)).toMatchObject(data as object);
  });
});
