import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/configuration/environment/config.ts';
import { ConfigError } from '../../src/core/configuration/environment/setting-names.ts';
import { loadProfile } from '../../src/core/configuration/profiles/profile.ts';

describe('settings', () => {
  it('an empty environment is a site on a laptop', () => {
    const settings = parseConfig({});
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8080, dataDir: './data', profile: 'default' });
    for (const value of [settings.databaseUrl, settings.publicUrl, settings.adminPassword, settings.s3, settings.llm]) {
      expect(value).toBeUndefined();
    }
  });

  it('empty values and spaces count as unset', () => {
    expect(parseConfig({ PORT: '', DATA_DIR: ' ', PUBLIC_URL: '', S3_BUCKET: '' })).toEqual(parseConfig({}));
  });

  it('values of settings are parsed', () => {
    const settings = parseConfig({
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgres://u:p@db/site',
      DATABASE_REPLICA_URLS: ' postgres://u:p@three/site  postgres://four/site ',
      DATABASE_DIRECT_URL: 'postgres://u:p@one:5432,two:5433/site?target_session_attrs=read-write',
      PUBLIC_URL: 'https://e.com/cms//',
      FRONTEND_URL: 'https://www.e.com/',
      PROFILE: 'plone',
      LLM_URL: 'http://localhost:11434',
      SMTP_URL: 'smtps://mail',
    });
    expect(settings).toMatchObject({
      port: 0,
      host: '::',
      databaseUrl: 'postgres://u:p@db/site',
      databaseReplicaUrls: ['postgres://u:p@three/site', 'postgres://four/site'],
      databaseDirectUrl: 'postgres://u:p@one:5432,two:5433/site?target_session_attrs=read-write',
      publicUrl: 'https://e.com/cms',
      frontendUrl: 'https://www.e.com',
      profile: 'plone',
      llm: { url: 'http://localhost:11434/v1' },
      smtpUrl: 'smtps://mail',
    });
  });

  it.each([
    [undefined, undefined],
    ['0', 0],
    ['2', 2],
    ['127.0.0.1', ['127.0.0.1']],
    ['loopback, 10.0.0.0/8,2001:db8::/32', ['loopback', '10.0.0.0/8', '2001:db8::/32']],
  ])('TRUST_PROXY=%s trusts %j', (TRUST_PROXY, trusted) => {
    expect(parseConfig({ TRUST_PROXY }).trustProxy).toEqual(trusted);
  });

  it.each([
    [{ PORT: '80a' }, /PORT must be a number/],
    [{ PORT: '-1' }, /PORT must be a number/],
    [{ PORT: '65536' }, /PORT must be a number/],
    [{ PORT: '8080.5' }, /PORT must be a number/],
    [{ PROFILE: '../etc' }, /PROFILE must be the name/],
    [{ PROFILE: 'Default' }, /PROFILE must be the name/],
    [{ DATABASE_URL: 'mysql://db/site' }, /DATABASE_URL must be an address beginning with postgres/],
    [{ DATABASE_URL: 'db/site' }, /DATABASE_URL must be an address/],
    [{ DATABASE_URL: 'postgres://one:5432,two:x/site' }, /DATABASE_URL must be an address/],
    [{ DATABASE_REPLICA_URLS: 'postgres://db/site' }, /DATABASE_REPLICA_URLS goes together with DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://db/site', DATABASE_REPLICA_URLS: 'one two' }, /DATABASE_REPLICA_URLS must be an/],
    [
      { DATABASE_URL: 'postgres://db/site', DATABASE_REPLICA_URLS: 'postgres://one:1,two:2/site' },
      /must lead to one server/,
    ],
    [{ DATABASE_DIRECT_URL: 'postgres://db/site' }, /DATABASE_DIRECT_URL goes together with DATABASE_URL/],
    [{ PUBLIC_URL: 'www.example.com' }, /PUBLIC_URL must be an address/],
    [{ PUBLIC_URL: 'ftp://e.com' }, /PUBLIC_URL must be an address/],
    [{ TRUST_PROXY: 'true' }, /TRUST_PROXY must be a number of proxies, or addresses/],
    [{ TRUST_PROXY: '-1' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: '21' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: 'proxy.example.org' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: '10.0.0.0/0' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: '127.0.0.1,' }, /TRUST_PROXY must be/],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, /TRUST_PROXY must be/],
    [{ SMTP_URL: 'http://mail' }, /SMTP_URL must be an address/],
    [{ LLM_URL: 'http://name:key@localhost/v1' }, /LLM_URL must not contain a name or a password/],
    [{ LLM_API_KEY: 'two words', LLM_URL: 'http://localhost' }, /^LLM_API_KEY must consist of printable/],
    [{ S3_BUCKET: 'b' }, /S3 storage needs all of/],
    [{ CANOPY_PORT: '80' }, /Unknown setting CANOPY_PORT/],
    [{ S3_TOKEN: 'x' }, /Unknown setting S3_TOKEN/],
    [{ LLM_TEMPERATURE: '1' }, /Unknown setting LLM_TEMPERATURE/],
  ])('%j stops the start with one line', (environment, message) => {
    expect(() => parseConfig(environment)).toThrow(ConfigError);
    expect(() => parseConfig(environment)).toThrow(message);
    try {
      parseConfig(environment);
    } catch (error) {
      expect(String(error)).not.toContain('\n');
    }
  });

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DIRS', 'DATA_DIR'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['PROFIL', 'PROFILE'],
    ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
    ['S3_BUKCET', 'S3_BUCKET'],
    ['LLM_MODELS', 'LLM_MODEL'],
    ['EMBEDING_MODEL', 'EMBEDDING_MODEL'],
    ['SMTPURL', 'SMTP_URL'],
  ])('%s stops the start, for %s was meant', (name, meant) => {
    expect(() => parseConfig({ [name]: 'x' })).toThrow(
      new ConfigError(`Unknown setting ${name}: did you mean ${meant}?`),
    );
  });

  it.each([
    'PGPORT',
    'PGHOST',
    'PGDATABASE',
    'HOSTNAME',
    'POSTGRES_URL',
    'SMTP_HOST',
    'SMTP_PORT',
    'SMTP_USER',
    'ADMIN_USER',
    'ADMIN_EMAIL',
    'PATH',
    'PWD',
    'HOME',
    'OLDPWD',
    'SHLVL',
    'LOGNAME',
    'NODE_ENV',
    'NODE_OPTIONS',
    'PUBLIC_KEY',
    'DATABASE_NAME',
    'DATABASE_HOST',
    'MY_DATABASE_URL',
    'KUBERNETES_PORT',
    'DATA',
    'PORTS',
    'HOSTS',
    'PROMPT',
    'npm_lifecycle_event',
  ])('the setting %s belongs to other programs and is ignored', (name) => {
    expect(parseConfig({ [name]: 'x' })).toEqual(parseConfig({}));
  });

  it('an unknown profile stops the set-up and lists the existing ones', () => {
    expect(() => loadProfile('nothing')).toThrow(ConfigError);
    expect(() => loadProfile('nothing')).toThrow(/There is no profile "nothing".*default, plone/);
  });
});
