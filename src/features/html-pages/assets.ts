/** The files of the pages: a stylesheet, an icon, and the program of the API description. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineService } from '#core';
import { NotFound } from '#lib/errors';
import { packageFolder } from '#lib/process/process';
import { DOCS_SCRIPT } from './docs-script.ts';
import { ICON } from './icon.ts';
import { STYLE } from './style.ts';

type Asset = { type: string; load(): Buffer; hash: string };

/** The name of the service that sends the files. */
const SERVICE = '@@html-pages';

/** The folder of Swagger UI: the build copies its files beside the program; development uses the files of the package. */
function swaggerFolder(): string {
  const built = join(packageFolder('.'), 'dist/swagger-ui');
  return existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 12);

/** A file of the program, held in memory. */
function own(text: string, type: string): Asset {
  const bytes = Buffer.from(text);
  return { type, load: () => bytes, hash: hashOf(bytes) };
}

/** A file of Swagger UI, which is loaded when somebody opens the API description. */
class SwaggerFile implements Asset {
  readonly type: string;
  readonly #name: string;
  #bytes: Buffer | undefined;

  constructor(name: string, type: string) {
    this.#name = name;
    this.type = type;
  }

  load(): Buffer {
    this.#bytes ??= readFileSync(join(swaggerFolder(), this.#name));
    return this.#bytes;
  }

  get hash(): string {
    return hashOf(this.load());
  }
}

const ASSETS: ReadonlyMap<string, Asset> = new Map<string, Asset>([
  ['style.css', own(STYLE, 'text/css; charset=utf-8')],
  ['icon.svg', own(ICON, 'image/svg+xml')],
  ['docs.js', own(DOCS_SCRIPT, 'text/javascript; charset=utf-8')],
  ['swagger-ui-bundle.js', new SwaggerFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
  ['swagger-ui.css', new SwaggerFile('swagger-ui.css', 'text/css; charset=utf-8')],
]);

/** The path of a file below the site root. It changes with the file, so that browsers may keep it forever. */
export function assetUrl(name: string): string {
  const asset = ASSETS.get(name);
  if (!asset) throw new Error(`The pages have no file ${name}`);
  return `/${SERVICE}/${asset.hash}/${name}`;
}

/** GET `@@html-pages`: a file of the pages. */
export const getAsset = defineService({
  name: SERVICE,
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'site',
  summary: 'A file of the pages for browsers: its styles, its icon, the program of the API description.',
  rest: ['{hash}/{file}'],
  responses: {
    200: { description: 'The file, under its own media type.', contentType: 'application/octet-stream' },
    404: { description: 'There is no such file, or it was changed, or the pages are switched off.' },
  },
  async run({ kernel, params: { hash, file } }) {
    const asset = ASSETS.get(file);
    if (!kernel.config.htmlPages || asset?.hash !== hash) throw new NotFound(`/${SERVICE}/${hash}/${file}`);
    return {
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      contentType: asset.type,
      bytes: asset.load(),
    };
  },
});
