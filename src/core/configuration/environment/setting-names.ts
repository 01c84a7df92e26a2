/** The error for an unknown or wrong setting: the start stops with its message as one line. */
export class ConfigError extends Error {}

/** Each setting of the environment, in the order of the docs. */
export const SETTING_NAMES = [
  'CANOPY_CONFIG',
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'DATA_DIR',
  'PUBLIC_URL',
  'FRONTEND_URL',
  'TRUST_PROXY',
  'PROFILE',
  'ADDONS_DIR',
  'ADMIN_PASSWORD',
  'SECRETS_KEY',
  'OPENID_ISSUER',
  'OPENID_CLIENT_ID',
  'OPENID_CLIENT_SECRET',
  'OPENID_TITLE',
  'OPENID_SCOPE',
  'OPENID_GROUPS_CLAIM',
  'OPENID_ROLES_CLAIM',
  'OPENID_ROLES',
  'OPENID_CREATE_USERS',
  'OPENID_LINK_BY_EMAIL',
  'OPENID_PROVIDERS',
  'SMTP_URL',
  'RESPONSE_CACHE_MB',
  'ROW_CACHE_MB',
  'WARM_UP',
  'WEBHOOK_PRIVATE_ADDRESSES',
  'HTML_PAGES',
  'MANAGE_PAGE',
  'METRICS_PORT',
  'METRICS_HOST',
  'METRICS_TOKEN',
  'ACCESS_LOG',
  'SLOW_STATEMENT_MS',
  'IDEMPOTENCY_HOURS',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PREFIX',
  'BACKUP_TARGET',
  'BACKUP_SCHEDULE',
  'BACKUP_KEEP',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_REGION',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'LLM_URL',
  'LLM_MODEL',
  'LLM_API_KEY',
  'EMBEDDING_MODEL',
] as const;
/** The name of a setting in the environment. */
export type SettingName = (typeof SETTING_NAMES)[number];

/** Looks up a setting; undefined when it is unset. */
export type GetSetting = (name: SettingName) => string | undefined;

/** Parses a switch, 1 or 0. Throws ConfigError. */
export function parseSwitch(get: GetSetting, name: SettingName, otherwise: '0' | '1'): boolean {
  const value = get(name) ?? otherwise;
  if (value !== '0' && value !== '1') throw new ConfigError(`${name} must be 0 or 1, not "${value}".`);
  return value === '1';
}
