import { type Command, type CommandContext, EXIT, UsageError } from '../../core/kernel/command.ts';
import { isMailAddress } from '../../core/queue/mail/mail.ts';
import { mailHostOf } from '../../core/queue/mail/mail-host.ts';
import { databaseProbes, openingProbe, type ProbedDatabase } from '../doctor/database-probes.ts';
import { machineProbes } from '../doctor/machine-probes.ts';
import { type Probe, type ProbeReport, runProbe, secretsOf } from '../doctor/probe.ts';
import { addressProbe, mailProbe, modelProbes, providerProbes, storageProbe } from '../doctor/service-probes.ts';
import { siteProbes } from '../doctor/site-probes.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 120;

/** Settings of a site without its own mail server. */
const NO_MAIL_SETTINGS = {
  ...{ smtp_host: '', smtp_port: 25, secure: false, smtp_userid: '', smtp_pass: '' },
  ...{ email_from_name: '', email_from_address: '', debug: false },
};

type Request = Pick<CommandContext, 'config' | 'log' | 'open'> & { timeoutMs: number; sendTo: string | undefined };

/** Runs all probes, and returns the reports in their order. */
async function examine({ config, log, open, timeoutMs, sendTo }: Request): Promise<ProbeReport[]> {
  const secrets = secretsOf(config);
  const runAll = (probes: readonly Probe[]) =>
    Promise.all(probes.map((probe) => runProbe(probe, { timeoutMs, secrets })));
  const probed: ProbedDatabase = { db: undefined, isCurrent: false };
  const apart = runAll([storageProbe(config), ...modelProbes(config, timeoutMs), addressProbe(config)]);
  const machine = await runAll(machineProbes(config));
  const database = await runAll([openingProbe(config, probed)]);
  try {
    if (probed.db) database.push(...(await runAll(databaseProbes(probed.db, probed))));
  } finally {
    // Only one user at a time can open the embedded database, and the site opens it again.
    await probed.db?.close();
  }
  const options = { timeoutMs, sendTo, secrets, log };
  const ofSite = probed.isCurrent
    ? await siteProbes(await open({ repair: true }), options)
    : [
        mailProbe(mailHostOf(config.smtpUrl, NO_MAIL_SETTINGS), options),
        ...providerProbes(
          { log, config },
          config.loginProviders.map((provider) => async () => provider),
        ),
      ];
  return [...machine, ...database, ...(await apart), ...(await runAll(ofSite))];
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: '-      ' };

const linesOf = ({ name, status, message, advice }: ProbeReport): string[] => [
  `${MARKS[status]}  ${name}: ${message}`,
  ...(advice === undefined ? [] : [`         ${advice}`]),
];

/** Parses the time in seconds that each probe may take. Throws UsageError. */
function parseTimeout(value: unknown): number {
  const seconds = Number(value);
  if (!(seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS))
    throw new UsageError(`--timeout must be a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}.`);
  return seconds * 1000;
}

/** Tests everything that the site needs, with advice for each failure. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'try what the site needs, and say what to do about what does not work',
  description:
    'Settings, Node.js, disk, database, storage, mail, language model, login providers, the public address, clocks, pending upgrades and waiting work are tried, each for some seconds. Passwords and keys are not printed. The site is opened as by other commands and not changed; a small file is written and removed.',
  options: {
    timeout: {
      type: 'string',
      value: 'seconds',
      default: String(DEFAULT_TIMEOUT_SECONDS),
      description: 'Time for each try.',
    },
    'send-to': { type: 'string', value: 'address', description: 'Sends a mail to the address. Else none is sent.' },
  },
  example: 'doctor --send-to me@example.org',
  exits: {
    0: 'everything that is set works',
    1: 'something does not work',
    3: 'everything works, and something deserves attention',
  },
  json: '`status` (ok, warning or failed), and `probes`, each with `name`, `status` (also skipped), `message`, `advice` where something is to be done, and `milliseconds`.',
  async run({ config, log, open }, { options }) {
    const timeoutMs = parseTimeout(options.timeout);
    const sendTo = typeof options['send-to'] === 'string' ? options['send-to'] : undefined;
    if (sendTo !== undefined && !isMailAddress(sendTo)) throw new UsageError('--send-to must be an e-mail address.');
    const reports = await examine({ config, log, open, timeoutMs, sendTo });
    const has = (status: ProbeReport['status']) => reports.some((report) => report.status === status);
    const status = has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok';
    return {
      code: { failed: EXIT.failed, warning: EXIT.findings, ok: EXIT.done }[status],
      lines: reports.flatMap(linesOf),
      data: { status, probes: reports.map((report) => ({ ...report })) },
    };
  },
};
