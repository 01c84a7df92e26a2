import { siteMailHost } from '../../core/configuration/site/site-mail.ts';
import type { HealthCheck, Kernel } from '../../core/kernel/kernel.ts';
import { activeProviders, requireProvider } from '../../features/openid/providers.ts';
import { loadUpgradeState } from '../../features/upgrades/upgrade-site.ts';
import { ok, type Probe, type Secrets } from './probe.ts';
import { mailProbe, providerProbes } from './service-probes.ts';

const upgradeProbe = (kernel: Kernel): Probe => ({
  name: 'upgrade',
  advice: 'See the log; canopy upgrade --dry-run says more.',
  async run() {
    const { instance, fs } = (await loadUpgradeState(kernel)).versions;
    if (instance === fs) return ok(`The site is at version ${fs} of its profile.`);
    return {
      status: 'warning',
      message: `The site is at version ${instance} of its profile, this program has ${fs}.`,
      advice: 'canopy upgrade --dry-run says what would change, canopy upgrade does it.',
    };
  },
});

/** Says if a check of `@health` is meaningful outside of a serving process, because it examines the database. */
const looksOutside = ({ name, componentType }: HealthCheck): boolean =>
  componentType === 'component' && name !== 'requests:longRunning' && !name.endsWith(':lastAnswer');

/** The checks of `@health` about waiting work and the set-up, including checks of packages. */
const healthProbes = (kernel: Kernel): Probe[] =>
  [...kernel.healthChecks.values()]
    .filter((check) => looksOutside(check) && check.isWanted?.(kernel) !== false)
    .map(
      (check): Probe => ({
        name: check.name,
        advice: 'GET @health of the running server says more.',
        async run() {
          const { status, observedValue = '', observedUnit = '', output } = await check.observe(kernel);
          const value = `${observedValue} ${observedUnit}`.trim();
          if (status === 'pass') return ok(`${value}.`);
          const message = output === undefined ? `${value}.` : `${value}: ${output}`;
          const advice = 'See docs/monitoring.md and the log of the server.';
          return { status: status === 'warn' ? 'warning' : 'failed', message, advice };
        },
      }),
    );

/** Probes of an open site: its mail server and login providers, its version, and its waiting work. */
export async function siteProbes(
  kernel: Kernel,
  { timeoutMs, sendTo, secrets }: { timeoutMs: number; sendTo: string | undefined; secrets: Secrets },
): Promise<Probe[]> {
  const site = await kernel.sites.current();
  const host = siteMailHost(kernel, site);
  secrets.add(host?.auth?.pass);
  const loaders = activeProviders(kernel, site).map(({ id }) => async () => {
    const provider = await requireProvider(kernel, site, id);
    secrets.add(provider.clientSecret);
    return provider;
  });
  return [
    upgradeProbe(kernel),
    mailProbe(host, { timeoutMs, sendTo, log: kernel.log }),
    ...providerProbes(kernel, loaders),
    ...healthProbes(kernel),
  ];
}
