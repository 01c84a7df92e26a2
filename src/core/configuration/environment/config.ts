import { partsOfAddress } from '../../../database/postgres/addresses.ts';
import type { S3Settings } from '../../files/blobs/s3-store.ts';
import type { LoginProvider } from '../site/login-provider.ts';
import { parseLoginProviders } from './config-logins.ts';
import { matchedSetting, parseTrustedProxies, type TrustedProxies } from './config-names.ts';
import { ConfigError, parseSwitch, SETTING_NAMES, type SettingName } from './setting-names.ts';

/** The settings of a process, from its environment. Each has one meaning; see `docs/settings.md`. */
export type Config = {
  host: string;
  port: number;
  databaseUrl: string | undefined;
  /** Address of the database server itself, if `databaseUrl` leads to a connection pooler. */
  databaseDirectUrl: string | undefined;
  /** Replicas of the database, for reading. */
  databaseReplicaUrls: readonly string[];
  dataDir: string;
  publicUrl: string | undefined;
  /** The base of links in mails unless the site has one. */
  frontendUrl: string | undefined;
  trustProxy: TrustedProxies | undefined;
  profile: string;
  /** Folder of add-ons beside those that come with the program. */
  addonsDir: string | undefined;
  adminPassword: string | undefined;
  s3: S3Settings | undefined;
  backup: BackupSettings;
  llm:
    | { url: string; model: string | undefined; apiKey: string | undefined; embeddingModel: string | undefined }
    | undefined;
  /** The login providers of the environment; the site may have more. */
  loginProviders: readonly LoginProvider[];
  smtpUrl: string | undefined;
  /** Memory for cached responses; 0 to cache none. */
  responseCacheBytes: number;
  rowCacheBytes: number;
  /** True if a process asks for what visitors have asked for most after its start. */
  warmUp: boolean;
  /** Values of SECRETS_KEY, the newest first. Together with a key in the database they encrypt the secrets in the database. */
  secretsKeys: readonly string[];
  /** True if rules may send requests into networks that cannot be reached from the internet. */
  webhookPrivateAddresses: boolean;
  /** True if browsers get pages; otherwise all clients get JSON. */
  htmlPages: boolean;
  /** True if the page for owners of the site is served. */
  managePage: boolean;
  /** The port for metrics only; undefined for no such port. */
  metricsPort: number | undefined;
  metricsHost: string;
  /** Secret of requests for metrics. With a token and without `metricsPort`, metrics are on the port of the site. */
  metricsToken: string | undefined;
  /** Writes a line to the log for each request. */
  accessLog: boolean;
  /** Minimum milliseconds of a statement that is logged; undefined to log none. */
  slowStatementMs: number | undefined;
  /** Hours for which the response to a write with an Idempotency-Key is stored. */
  idempotencyHours: number;
  /** Profiles beside the built-in ones: folders by their names. */
  profiles: ReadonlyMap<string, string>;
};

/** Settings of backups: their target, their schedule, and how many of them stay. */
type BackupSettings = {
  target: string | undefined;
  /** A cron expression; undefined for backups only on demand. */
  schedule: string | undefined;
  /** The number of backups that stay; undefined for all. */
  keep: number | undefined;
  /** The service for targets in S3; the service of the files unless backups have their own settings. */
  s3: Omit<S3Settings, 'bucket' | 'prefix'> | undefined;
};

/** Settings of a configuration file (`canopy.config.mjs`). */
export type ConfigDefaults = {
  /** Values of settings, for settings that the environment lacks. */
  settings?: Partial<Record<SettingName, string>>;
  profiles?: ReadonlyMap<string, string>;
};

/**
 * Parses the settings of the environment, over those of the configuration file. Empty values count as unset. Throws ConfigError for
 * a wrong value, for misspelt names of settings, and for unknown names that begin with `CANOPY_`, `S3_`, `LLM_` or `OPENID_`.
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  { settings: defaults = {}, profiles = new Map() }: ConfigDefaults = {},
): Config {
  const known = new Set<string>(SETTING_NAMES);
  for (const name of Object.keys(environment)) {
    const meant = known.has(name) ? undefined : matchedSetting(name, SETTING_NAMES);
    if (meant !== undefined) throw new ConfigError(`Unknown setting ${name}: did you mean ${meant}?`);
    if (/^(CANOPY|S3|LLM|OPENID)_/.test(name) && !known.has(name)) {
      throw new ConfigError(`Unknown setting ${name}. Known settings: ${SETTING_NAMES.join(', ')}.`);
    }
  }
  const get = (name: SettingName) => environment[name]?.trim() || defaults[name]?.trim() || undefined;
  const url = (name: SettingName, protocols: string[]) => {
    const value = get(name);
    if (value === undefined) return undefined;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new ConfigError(
        `${name} must be an address beginning with ${protocols.map((p) => `${p}//`).join(' or ')}, not "${value}".`,
      );
    }
    return value;
  };
  const cacheBytes = (name: 'RESPONSE_CACHE_MB' | 'ROW_CACHE_MB', megabytes: string) => {
    const value = get(name) ?? megabytes;
    if (!/^\d{1,5}$/.test(value))
      throw new ConfigError(`${name} must be a whole number of megabytes, 0 for none, not "${value}".`);
    return Number(value) * 1024 * 1024;
  };
  const profile = get('PROFILE') ?? 'default';
  if (!/^[a-z0-9][a-z0-9-]*$/.test(profile))
    throw new ConfigError(`PROFILE must be the name of a profile such as default or plone, not "${profile}".`);
  const databaseUrl = parseDatabaseUrl('DATABASE_URL', get('DATABASE_URL'));
  const databaseDirectUrl = parseDatabaseUrl('DATABASE_DIRECT_URL', get('DATABASE_DIRECT_URL'));
  if (databaseDirectUrl !== undefined && databaseUrl === undefined)
    throw new ConfigError('DATABASE_DIRECT_URL goes together with DATABASE_URL.');
  const databaseReplicaUrls = (get('DATABASE_REPLICA_URLS') ?? '').split(/\s+/).filter((each) => each !== '');
  for (const each of databaseReplicaUrls) {
    parseDatabaseUrl('DATABASE_REPLICA_URLS', each);
    if (!URL.canParse(each))
      throw new ConfigError('Each address in DATABASE_REPLICA_URLS must lead to one server, not to several hosts.');
  }
  if (databaseReplicaUrls.length > 0 && databaseUrl === undefined)
    throw new ConfigError('DATABASE_REPLICA_URLS goes together with DATABASE_URL.');
  const llmUrl = url('LLM_URL', ['http:', 'https:']);
  const s3 = parseS3(get, url);
  return {
    host: get('HOST') ?? '127.0.0.1',
    port: parsePort(get, 'PORT') ?? 8080,
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrls,
    dataDir: get('DATA_DIR') ?? './data',
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    frontendUrl: url('FRONTEND_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    trustProxy: parseTrustProxy(get('TRUST_PROXY')),
    profile,
    addonsDir: get('ADDONS_DIR'),
    adminPassword: get('ADMIN_PASSWORD'),
    s3,
    backup: parseBackup(get, url('BACKUP_S3_ENDPOINT', ['http:', 'https:']), s3),
    llm:
      llmUrl === undefined
        ? undefined
        : {
            url: modelAddress(llmUrl),
            model: get('LLM_MODEL'),
            apiKey: parseApiKey(get('LLM_API_KEY')),
            embeddingModel: get('EMBEDDING_MODEL'),
          },
    loginProviders: parseLoginProviders(get),
    secretsKeys: parseSecretsKeys(get('SECRETS_KEY')),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    responseCacheBytes: cacheBytes('RESPONSE_CACHE_MB', '32'),
    rowCacheBytes: cacheBytes('ROW_CACHE_MB', '16'),
    warmUp: parseOnOff(get, 'WARM_UP'),
    webhookPrivateAddresses: parseSwitch(get, 'WEBHOOK_PRIVATE_ADDRESSES', '0'),
    htmlPages: parseOnOff(get, 'HTML_PAGES'),
    managePage: parseOnOff(get, 'MANAGE_PAGE'),
    metricsPort: parsePort(get, 'METRICS_PORT'),
    metricsHost: get('METRICS_HOST') ?? '127.0.0.1',
    metricsToken: parseMetricsToken(get('METRICS_TOKEN')),
    accessLog: parseSwitch(get, 'ACCESS_LOG', '0'),
    slowStatementMs: parseSlowMs(get('SLOW_STATEMENT_MS')),
    idempotencyHours: parseHours(get('IDEMPOTENCY_HOURS')),
    profiles,
  };
}

/** An address of PostgreSQL, which may name several hosts with commas between them. */
function parseDatabaseUrl(name: SettingName, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parts = partsOfAddress(value);
  if (!parts?.hosts.every((host) => URL.canParse(parts.before + host + parts.behind)))
    throw new ConfigError(`${name} must be an address beginning with postgres:// or postgresql://, not "${value}".`);
  return value;
}

/** Parses a setting that is `on` by default, or `off`. Throws ConfigError for other values. */
function parseOnOff(get: (name: SettingName) => string | undefined, name: SettingName): boolean {
  const value = get(name) ?? 'on';
  if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} must be on or off, not "${value}".`);
  return value === 'on';
}

/** The trusted proxies; none when the setting is unset. */
function parseTrustProxy(value: string | undefined): TrustedProxies | undefined {
  if (value === undefined) return undefined;
  const proxies = parseTrustedProxies(value);
  if (proxies === undefined)
    throw new ConfigError(
      `TRUST_PROXY must be a number of proxies, or addresses such as 127.0.0.1, 10.0.0.0/8, not "${value}".`,
    );
  return proxies;
}

/** The number of a port; undefined when the setting is unset. */
function parsePort(get: (name: SettingName) => string | undefined, name: SettingName): number | undefined {
  const port = get(name);
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new ConfigError(`${name} must be a number from 0 to 65535, not "${port}".`);
  return Number(port);
}

const MIN_METRICS_TOKEN = 16;

/** The token of metrics. The message does not repeat it. */
function parseMetricsToken(value: string | undefined): string | undefined {
  if (value !== undefined && (value.length < MIN_METRICS_TOKEN || !/^[\x21-\x7e]+$/.test(value)))
    throw new ConfigError(`METRICS_TOKEN must have at least ${MIN_METRICS_TOKEN} characters of ASCII without blanks.`);
  return value;
}

/** Parses the minimum milliseconds of a slow statement. */
function parseSlowMs(value: string | undefined): number | undefined {
  if (value !== undefined && !/^\d{1,7}$/.test(value))
    throw new ConfigError(`SLOW_STATEMENT_MS must be a whole number of milliseconds, not "${value}".`);
  return value === undefined ? undefined : Number(value);
}

const MAX_HOURS = 168;

/** Parses the hours for which responses to writes with a key are stored. */
function parseHours(value = '24'): number {
  if (!/^[1-9]\d{0,2}$/.test(value) || Number(value) > MAX_HOURS)
    throw new ConfigError(`IDEMPOTENCY_HOURS must be a whole number of hours from 1 to ${MAX_HOURS}, not "${value}".`);
  return Number(value);
}

const MIN_SECRETS_KEY = 32;

/** The keys of a list separated by blanks, the newest first. The message does not repeat them. */
function parseSecretsKeys(value: string | undefined): string[] {
  const keys = value?.split(/\s+/) ?? [];
  if (keys.some((key) => key.length < MIN_SECRETS_KEY))
    throw new ConfigError(`SECRETS_KEY must have at least ${MIN_SECRETS_KEY} characters, random ones.`);
  return keys;
}

/** The address below which a service has OpenAI's API: `/v1` if only a host is given, because all such services have it there. */
function modelAddress(value: string): string {
  const url = new URL(value);
  if (url.username !== '' || url.password !== '')
    throw new ConfigError('LLM_URL must not contain a name or a password: the key of the service is LLM_API_KEY.');
  return url.pathname === '/' ? `${url.origin}/v1` : value.replace(/\/+$/, '');
}

/** The key of the model service, which is sent in a header. The message does not repeat it. */
function parseApiKey(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value))
    throw new ConfigError('LLM_API_KEY must consist of printable ASCII characters without blanks.');
  return value;
}

/** All of endpoint, bucket and keys, or none of them. */
function parseS3(
  get: (name: SettingName) => string | undefined,
  url: (name: SettingName, protocols: string[]) => string | undefined,
): S3Settings | undefined {
  const endpoint = url('S3_ENDPOINT', ['http:', 'https:']);
  const bucket = get('S3_BUCKET');
  const accessKeyId = get('S3_ACCESS_KEY_ID');
  const secretAccessKey = get('S3_SECRET_ACCESS_KEY');
  if (!endpoint && !bucket && !accessKeyId && !secretAccessKey && !get('S3_REGION') && !get('S3_PREFIX'))
    return undefined;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) {
    throw new ConfigError('S3 storage needs all of S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  }
  return {
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    region: get('S3_REGION') ?? 'us-east-1',
    prefix: get('S3_PREFIX') ?? '',
  };
}

/** The settings of backups. */
function parseBackup(
  get: (name: SettingName) => string | undefined,
  endpoint: string | undefined,
  s3: S3Settings | undefined,
): BackupSettings {
  const [target, schedule, keep] = [get('BACKUP_TARGET'), get('BACKUP_SCHEDULE'), get('BACKUP_KEEP')];
  if (target === undefined && (schedule !== undefined || keep !== undefined))
    throw new ConfigError('BACKUP_SCHEDULE and BACKUP_KEEP go together with BACKUP_TARGET.');
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
    throw new ConfigError(`BACKUP_KEEP must be a whole number from 1 to 9999, not "${keep}".`);
  const [accessKeyId, secretAccessKey] = [get('BACKUP_S3_ACCESS_KEY_ID'), get('BACKUP_S3_SECRET_ACCESS_KEY')];
  const region = get('BACKUP_S3_REGION');
  const own = [endpoint, accessKeyId, secretAccessKey];
  if (own.includes(undefined) && (region !== undefined || own.some((value) => value !== undefined)))
    throw new ConfigError(
      'Backups in an S3 service of their own need all of BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.',
    );
  return {
    ...{ target, schedule, keep: keep === undefined ? undefined : Number(keep) },
    s3:
      endpoint && accessKeyId && secretAccessKey
        ? { endpoint, accessKeyId, secretAccessKey, region: region ?? 'us-east-1' }
        : s3,
  };
}
