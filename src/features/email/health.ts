import { countWaitingMails, type HealthCheck, hasPublicAddress, siteMailHost } from '#core';

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

/** Health check of the address for links in mails, on sites that send mails. */
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

/** Message for operators of a server that sends mails and has no address. */
export const NO_PUBLIC_ADDRESS =
  'Links in mails lead to this machine: set "Address of the front end" in the control panel "site", or PUBLIC_URL';
