import { Type } from 'typebox';
import {
  defineService,
  type Kernel,
  localizedSite,
  negotiation,
  representation,
  requests,
  type ServiceResponse,
  say,
  siteSettings,
  VIEW,
} from '#core';
import { ClientError, NotAcceptable } from '#lib/errors';
import { isAcceptable, parseAccept } from '#lib/http/accept';

const { include_items, b_start, b_size, version } = representation.ContentQuery.properties;

/** GET `@markdown`: content as Markdown. */
export const getMarkdown = defineService({
  name: '@markdown',
  method: 'GET',
  cacheable: true,
  ignoresOtherParameters: true,
  context: 'content',
  permission: VIEW,
  tag: 'export',
  summary: 'The content as Markdown with front matter; containers list their children.',
  query: Type.Object({ include_items, b_start, b_size, version }),
  responses: {
    200: {
      description: 'The document. `Accept: text/markdown` gets it at the address of the content as well.',
      contentType: 'text/markdown',
    },
  },
  async run(context) {
    const content = await representation.requested({
      ...context,
      expand: new Set(['translations']),
      expandOptions: new Map(),
      metadataFields: [],
    });
    // The modules that read HTML and write Markdown are a tenth of the loaded program, and nothing else needs them.
    const { markdownDocument } = await import('./content-markdown.ts');
    return {
      status: 200,
      contentType: 'text/markdown; charset=utf-8',
      bytes: Buffer.from(markdownDocument(context, content)),
      changed: new Date(content.modified),
    };
  },
});

/** The response, which depends on the header `Accept`. */
const varied = (response: ServiceResponse): ServiceResponse => ({
  ...response,
  headers: { ...response.headers, Vary: ['Accept', response.headers?.Vary ?? []].flat().join(', ') },
});

/** The target of the Markdown of content, with the query of the request. */
function markdownTarget(target: string): string {
  const [path = '', ...query] = target.split('?');
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return [`${path.slice(0, end)}/@markdown`, ...query].join('?');
}

/** Says if a request asks for content itself. A malformed address gets its error from the API. */
function isForContent({ config }: Kernel, request: negotiation.Request): boolean {
  const from = { scheme: request.scheme, host: request.host, publicUrl: config.publicUrl };
  try {
    const { service, collapsed } = requests.addressOf(request.target, { ...from, trusted: request.fromTrustedProxy });
    return service === '' && collapsed === undefined;
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
}

/** Translates a text into the language of the reader. */
function translationFor({ sites }: Kernel, { headers }: negotiation.Request): (text: string) => string {
  const site = sites.last;
  if (!site) return (text) => text;
  const localized = localizedSite(site, siteSettings.readerLanguage(site, headers['accept-language']?.toString()));
  return (text) => say(localized, text);
}

/**
 * The response to a client that prefers Markdown, at an address without Markdown: that of the API, or 406 if the client accepts nothing else. Errors
 * and redirects have no other form.
 */
async function otherForm(
  kernel: Kernel,
  request: negotiation.Request,
  ask: negotiation.AskApi,
): Promise<ServiceResponse> {
  const response = await ask({});
  const { status, contentType = response.text === undefined ? 'application/json' : 'text/plain' } = response;
  if (status >= 300 || isAcceptable(parseAccept(request.headers.accept?.toString()), contentType)) return response;
  response.stream?.destroy();
  return negotiation.errorResponse(new NotAcceptable(), { requestId: '', translate: translationFor(kernel, request) });
}

/** Responds to clients that prefer Markdown: with the Markdown of content, else like the API. */
export const markdownMaker = (kernel: Kernel): negotiation.Maker => ({
  async respond(request, ask) {
    if (!isForContent(kernel, request)) return varied(await otherForm(kernel, request, ask));
    const response = await ask({ target: markdownTarget(request.target) });
    // Redirects and errors come from the API, because they name the address of the content itself.
    const isElsewhere = response.status === 404 || (response.status >= 300 && response.status < 400);
    return varied(isElsewhere && response.status !== 304 ? await ask({}) : response);
  },
});
