import { readFile, writeFile } from 'node:fs/promises';
import { apiDescription, type Command, ConfigError } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { typesModule } from './write-types.ts';

/** Maximum milliseconds for loading the description of a site. */
const PATIENCE_MS = 60_000;
/** A token that a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;
/** The access token in the first line of a file. Throws ConfigError when the file has no token. */
async function tokenIn(file: string): Promise<string> {
  const text = await textAt(file);
  if (text === undefined) throw new ConfigError(`There is no file ${file} with an access token.`);
  const [line = ''] = text.split('\n', 1);
  const token = line.trim();
  if (!TOKEN.test(token)) throw new ConfigError(`The first line of ${file} is no access token.`);
  return token;
}

/** The schemas of the site at an address. Throws ConfigError with advice when the schemas cannot be loaded. */
async function schemasAt(url: string, token: string | undefined): Promise<JsonObject> {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new ConfigError(`The address of a site begins with http:// or https://, unlike ${url}`);
  let response: Response;
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/@openapi`, {
      headers: { Accept: 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ConfigError(`There is no site at ${url}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (!response.ok) throw new ConfigError(`The site at ${url} returned ${response.status} for its description.`);
  const document: unknown = await response.json().catch(() => undefined);
  const components = isJsonObject(document) ? document.components : undefined;
  const schemas = isJsonObject(components) ? components.schemas : undefined;
  if (!isJsonObject(schemas)) throw new ConfigError(`There is no description of an API at ${url}/@openapi.`);
  return schemas;
}

/** Returns the text of a file; undefined without such a file. */
const textAt = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (isJsonObject(error) && error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Writes the content types of a site as types of TypeScript. */
export const typesCommand: Command = {
  name: 'types',
  summary: 'write the content types of a site as types of TypeScript',
  description:
    'The types are those of the site of the settings, or of a running site, which shows them to users who are logged in. They are those that the user of the token may see.',
  options: {
    url: { type: 'string', value: 'address', description: 'The address of a running site.' },
    'token-file': {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'An access token of the running site, in the first line of the file.',
    },
    output: { type: 'string', value: 'file', description: 'The file that is written.', default: 'canopy-types.ts' },
  },
  example: 'types --url=https://example.org/++api++ --token-file=token.txt --output=src/canopy-types.ts',
  json: '`file`, and if it was `changed`.',
  async run({ open }, { options }) {
    const { url, output, 'token-file': tokenFile } = options;
    if (typeof tokenFile === 'string' && typeof url !== 'string')
      throw new ConfigError('--token-file needs --url: the site of the settings is read without a token.');
    const file = typeof output === 'string' ? output : 'canopy-types.ts';
    let schemas: JsonObject;
    if (typeof url === 'string')
      schemas = await schemasAt(url, typeof tokenFile === 'string' ? await tokenIn(tokenFile) : undefined);
    else {
      const kernel = await open();
      schemas = apiDescription.siteSchemas(kernel, await kernel.sites.current());
    }
    const text = typesModule(schemas);
    if (text === undefined)
      throw new ConfigError(
        typeof tokenFile === 'string'
          ? `The site does not accept the token in ${tokenFile}: it has expired, or is a token of another site.`
          : 'The site shows its content types to users who are logged in: give --token-file with an access token.',
      );
    const changed = (await textAt(file)) !== text;
    if (changed) await writeFile(file, text);
    return {
      lines: [changed ? `Written: ${file}` : `${file} is up to date.`],
      data: { file, changed },
    };
  },
};
