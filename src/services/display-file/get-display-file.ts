import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { FILE_RESPONSES } from '../download/file-responses.ts';
import { findFile } from '../download/find-file.ts';
import { sendFile } from '../download/send-file.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService } from '../service.ts';
import { atRequestedVersion } from '../versions/at-requested-version.ts';
import { VERSION_PARAMETER } from '../versions/version-parameter.ts';

/** GET `@@display-file/<field>[/<filename>]`: a file to be shown, if its type is one that runs no code (plone.namedfile). */
export const getDisplayFile = defineService({
  name: '@@display-file',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Shows the file in a field; types that could run code are downloaded.',
  rest: ['{field}', '{field}/{filename}'],
  query: documentedQuery(Type.Object(VERSION_PARAMETER)),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    return sendFile(context, findFile(context, '@@display-file', context.rest[0]), { inline: true });
  },
});
