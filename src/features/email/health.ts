import { countWaitingMails, frontendAddress, type HealthCheck, type Site, siteMailHost } from '#core';

/** Attempts that failed after which a mail counts as stuck: some four minutes after the first one. */
const LATE_ATTEMPTS = 3;
/** Seconds after which a mail that is due should have been tried. */
const LATE_SECONDS = 300;
/** No more mails than this are counted. */
const MAX_COUNTED_MAILS = 1000;

/** Mails that cannot be sent: the server is away, refuses for the time being, or is not configured. */
export const mailHealth: HealthCheck = {
  name: 'mail:waiting',
  componentType: 'component',
  keep: 10_000,
  async observe({ db, config, sites }) {
    const bounds = { attempts: LATE_ATTEMPTS, seconds: LATE_SECONDS, limit: MAX_COUNTED_MAILS };
    const { waiting, late } = await countWaitingMails(db, bounds);
    const host = sites.last && siteMailHost({ config }, sites.last);
    const reason = host
      ? `${host.host}:${host.port} has not taken ${late} mails; the log has the causes`
      : `${late} mails wait, and no mail server is configured`;
    return {
      status: late > 0 ? 'warn' : 'pass',
      observedValue: waiting,
      observedUnit: 'mails',
      ...(late > 0 ? { output: reason } : {}),
    };
  },
};

/** Tests whether the site or the process names the address under which people reach the site. */
export const hasPublicAddress = (reached: Parameters<typeof frontendAddress>[0], site: Site): boolean =>
  (frontendAddress(reached, site) ?? reached.config.publicUrl) !== undefined;

/** Whether the links in mails lead anywhere: looked at where mails are sent. */
export const addressHealth: HealthCheck = {
  name: 'publicAddress:configured',
  componentType: 'component',
  keep: 0,
  isWanted: ({ config, sites }) => sites.last !== undefined && siteMailHost({ config }, sites.last) !== undefined,
  async observe({ config, sites }) {
    const isKnown = sites.last !== undefined && hasPublicAddress({ config }, sites.last);
    return isKnown
      ? { status: 'pass', observedValue: 'yes' }
      : { status: 'warn', observedValue: 'no', output: NO_PUBLIC_ADDRESS };
  },
};

/** What operators are told who have a mail server and no address. */
export const NO_PUBLIC_ADDRESS =
  'Links in mails lead to this machine: set "Address of the front end" in the control panel "site", or PUBLIC_URL';
