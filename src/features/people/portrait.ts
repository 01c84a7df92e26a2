import {
  defineService,
  downloads,
  isStoredFile,
  type Kernel,
  PreparedFile,
  requests,
  type Service,
  type Site,
  type StoredFile,
  storedFiles,
  VIEW,
} from '#core';
import { NotFound, ValidationFailed } from '#lib/errors';
import { etagMatches } from '#lib/http/http-headers';
import { isJsonObject } from '#lib/json-object';
import { portraitOf } from './statements/accounts.ts';
import type { UserInput } from './user-body.ts';
import { userType } from './user-type.ts';

/**
 * Size limit of bodies that may contain a picture, in bytes: about six million for the picture, which base64 makes a
 * third longer.
 */
export const MAX_PORTRAIT_BODY = 8 * 1024 * 1024;

/** Width and height in pixels that a portrait is scaled to fit into, when the client asks for it. */
const PORTRAIT_BOX = [300, 300] as const;

/**
 * Stores the bytes of `portrait` in a body, `{data, encoding, content-type, filename, scale?}`. Returns the picture, null to remove it, or undefined
 * to leave it unchanged, for example for the address from a GET (plone.restapi, U15). Throws ValidationFailed for anything but a picture.
 */
export async function storePortrait(
  kernel: Kernel,
  site: Site,
  { portrait }: UserInput,
): Promise<StoredFile | null | undefined> {
  if (portrait === null) return null;
  if (!isJsonObject(portrait) || !('data' in portrait)) return undefined;
  const { portrait: prepared } = await storedFiles.prepare(kernel, userType(kernel, site), { portrait });
  if (prepared === null) return null;
  if (!(prepared instanceof PreparedFile) || !/^image\//.test(prepared.file['content-type']))
    throw new ValidationFailed([{ field: 'portrait', message: 'Must be a picture.' }], 'WrongParameterError');
  return portrait.scale === true ? storedFiles.scaleToFit(kernel.blobs, prepared.file, PORTRAIT_BOX) : prepared.file;
}

/**
 * GET `@portrait/<user>`, or `@portrait` for the caller: a picture. A user without a picture and an unknown user get the same response. Types that
 * could run code, such as SVG, are sent as attachments (plone.restapi, U16).
 */
const getPortrait = defineService({
  name: '@portrait',
  method: 'GET',
  context: 'site',
  permission: VIEW,
  summary: "The picture of a user; without an id one's own.",
  rest: ['', '{id}'],
  responses: {
    200: { description: 'The picture.', contentType: 'application/octet-stream' },
    304: { description: 'The client has this picture already (If-None-Match).' },
    404: { description: 'There is no picture.' },
  },
  async run(context) {
    const { kernel, db, caller, params, rest } = context;
    const id = params.id ?? caller.id;
    const file = id === null ? undefined : await portraitOf(db, id);
    if (!isStoredFile(file)) throw new NotFound(['/@portrait', ...rest].join('/'));
    const etag = `"${file.hash}"`;
    // The address without an id has another picture for each user.
    const headers = {
      ETag: etag,
      'Cache-Control': downloads.cacheControl(false, false),
      Vary: 'Authorization, Cookie',
    };
    if (etagMatches(requests.headerOf(context, 'if-none-match'), etag)) return { status: 304, headers };
    return downloads.privateFile(kernel, file, { inline: true, headers });
  },
});

export const portraitServices: Service[] = [getPortrait];
