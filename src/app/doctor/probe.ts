import type { Config } from '../../core/configuration/environment/config.ts';

/** The result of a probe: the observation, with advice if something is wrong. */
export type ProbeResult = {
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
  advice?: string;
};

/** Something that a site needs, and a test if it works. An error of the test is a failure. */
export type Probe = {
  name: string;
  /** Advice for a failure or a timeout. */
  advice: string;
  run(signal: AbortSignal): Promise<ProbeResult>;
};

export type ProbeReport = ProbeResult & { name: string; milliseconds: number };

export const ok = (message: string): ProbeResult => ({ status: 'ok', message });
export const skipped = (message: string): ProbeResult => ({ status: 'skipped', message });

/** Minimum length of secrets that are removed from reports; shorter texts are too common. */
const MIN_SECRET_LENGTH = 4;

/** The texts that no report may contain, and their replacement. */
export class Secrets {
  readonly #texts = new Set<string>();

  /** Adds secrets; absent ones are left out. */
  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets)
      if (secret !== undefined && secret.length >= MIN_SECRET_LENGTH)
        for (const form of [secret, encodeURIComponent(secret)]) this.#texts.add(form);
  }

  /** Returns the text without any of the secrets. */
  removeFrom(text: string): string {
    const longestFirst = [...this.#texts].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((result, secret) => result.replaceAll(secret, '(secret)'), text);
  }
}

/** The password in an address; undefined without one. */
const passwordIn = (address: string | undefined): string | undefined => {
  const password = address !== undefined && URL.canParse(address) ? new URL(address).password : '';
  return password === '' ? undefined : decodeURIComponent(password);
};

/** The secrets of the settings. */
export function secretsOf(config: Config): Secrets {
  const secrets = new Secrets();
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls, smtpUrl, s3, llm, loginProviders } = config;
  secrets.add(...[databaseUrl, databaseDirectUrl, smtpUrl, ...databaseReplicaUrls].map(passwordIn));
  secrets.add(s3?.secretAccessKey, llm?.apiKey, config.adminPassword, ...config.secretsKeys);
  secrets.add(...loginProviders.map(({ clientSecret }) => clientSecret));
  return secrets;
}

/** An error in one line, with its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const message = error.message || ('code' in error ? String(error.code) : error.name);
  if (inner === undefined || inner === null) return message;
  const cause = reasonOf(inner);
  return message.includes(cause) ? message : `${message} (${cause})`;
}

/** Runs a probe with a time limit. Its report has no secrets. */
export async function runProbe(
  { name, advice, run }: Probe,
  { timeoutMs, secrets }: { timeoutMs: number; secrets: Secrets },
): Promise<ProbeReport> {
  const start = performance.now();
  const aborting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(() => {
      resolve({ status: 'failed', message: `There was no answer within ${timeoutMs / 1000} seconds.`, advice });
      aborting.abort();
    }, timeoutMs);
  });
  const tried = run(aborting.signal).catch(
    (error: unknown): ProbeResult => ({ status: 'failed', message: reasonOf(error), advice }),
  );
  const { status, message, ...more } = await Promise.race([tried, late]);
  clearTimeout(timer);
  return {
    ...{ name, status, message: secrets.removeFrom(message).replace(/\s+/g, ' ') },
    ...(more.advice === undefined ? {} : { advice: more.advice }),
    milliseconds: Math.round(performance.now() - start),
  };
}
