import { defineService, outsideCaches } from '#core';
import { NotFound } from '#lib/errors';
import { etagMatches } from '#lib/http/http-headers';
import { requireModule } from './addon-pages.ts';
import { BUILT_PAGE, tagOf } from './built-files.ts';
import { documentOf, POLICY } from './document.ts';

/**
 * The path of the site root in addresses of the request. A browser that reaches the server beside its configured public address stays there.
 */
function prefixOf(
  base: string,
  { publicUrl, host }: { publicUrl: string | undefined; host: string | undefined },
): string {
  const { host: publicHost, pathname } = new URL(base);
  const isBeside = publicUrl !== undefined && publicHost !== host;
  return isBeside ? '' : pathname.replace(/\/$/, '');
}

const textOf = (value: string | string[] | undefined): string | undefined => value?.toString();

/**
 * GET `@manage`: the page for those who run a site. Every address below it is the same document, so that links lead into the page; its
 * files are below `assets`. The modules of add-ons are below `modules`, for those who may open their pages: browsers send the cookie of the session
 * with the request for them. Everything that it shows it asks the API for, in the name of its user.
 */
export const getManage = defineService({
  name: '@manage',
  method: 'GET',
  context: 'site',
  permission: null,
  withoutApiPermission: true,
  tag: 'site',
  summary: 'The page for those who run the site, for browsers, and its files.',
  rest: ['', '{view}', 'assets/{file}', 'modules/{module}', '{view}/{item}', '{view}/{item}/{part}'],
  responses: {
    200: { description: 'The page, or the file under its own media type.', contentType: 'text/html' },
    304: { description: 'The client has this page.' },
    404: {
      description:
        'There is no such file, the caller may not open the page of this module, or the page is switched off.',
    },
  },
  async run(context) {
    const { kernel, base, headers, params, rest } = context;
    const { file, module } = params;
    const page = kernel.slots.find(BUILT_PAGE)?.();
    if (!page) throw new NotFound(`/${['@manage', ...rest].join('/')}`);
    if (file !== undefined) {
      const contentType = page.typeOf(file);
      if (contentType === undefined) throw new NotFound(`/@manage/assets/${file}`);
      const { bytes, encoding } = page.load(file, textOf(headers['accept-encoding']));
      return {
        status: 200,
        headers: {
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept-Encoding',
          ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
        },
        contentType,
        bytes,
      };
    }
    if (module !== undefined) {
      const { bytes, tag } = requireModule(context, module);
      const moduleHeaders = { 'Cache-Control': outsideCaches.FOR_NOBODY_ELSE, ETag: tag };
      if (etagMatches(textOf(headers['if-none-match']), tag)) return { status: 304, headers: moduleHeaders };
      return { status: 200, headers: moduleHeaders, contentType: 'text/javascript; charset=utf-8', bytes };
    }
    const bytes = documentOf(page, prefixOf(base, { publicUrl: kernel.config.publicUrl, host: textOf(headers.host) }));
    const tag = tagOf(bytes);
    const documentHeaders = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': POLICY,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
      ETag: tag,
    };
    if (etagMatches(textOf(headers['if-none-match']), tag)) return { status: 304, headers: documentHeaders };
    return { status: 200, headers: documentHeaders, contentType: 'text/html; charset=utf-8', bytes };
  },
});
