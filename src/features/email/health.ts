import { type HealthCheck, type Kernel, mailing, queue, type Site, siteAddress } from '#core';

/** Mails that cannot be sent: the mail server is down, rejects them for the time being, or is not configured. */
export const mailHealth = queue.healthOf<Kernel>('mail', {
  unit: 'mails',
  observe: ({ db, config, sites }) =>
    queue.observe(db, queue.MAILS.name, (late) => {
      const host = sites.last && mailing.hostOf({ config }, sites.last);
      return host
        ? `${host.host}:${host.port} has not taken ${late} mails; the log has the causes`
        : `${late} mails wait, and no mail server is configured`;
    }),
});

/** Tests whether the site or the process names the address under which people reach the site. */
export const hasPublicAddress = (reached: Parameters<typeof siteAddress.ofFrontEnd>[0], site: Site): boolean =>
  (siteAddress.ofFrontEnd(reached, site) ?? reached.config.publicUrl) !== undefined;

/** Warns of links in mails that lead nowhere, on sites that send mails. */
export const addressHealth: HealthCheck = {
  name: 'publicAddress:configured',
  componentType: 'component',
  keep: 0,
  isWanted: ({ config, sites }) => sites.last !== undefined && mailing.hostOf({ config }, sites.last) !== undefined,
  async observe({ config, sites }) {
    const isKnown = sites.last !== undefined && hasPublicAddress({ config }, sites.last);
    return isKnown
      ? { status: 'pass', observedValue: 'yes' }
      : { status: 'warn', observedValue: 'no', output: NO_PUBLIC_ADDRESS };
  },
};

/** The warning for operators of a site with a mail server and without an address. */
export const NO_PUBLIC_ADDRESS =
  'Links in mails lead to this machine: set "Address of the front end" in the control panel "site", or PUBLIC_URL';
