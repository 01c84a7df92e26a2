import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService } from '../service.ts';
import { atRequestedVersion } from '../versions/at-requested-version.ts';
import { VERSION_PARAMETER } from '../versions/version-parameter.ts';
import { asksInline, DispositionQuery } from './disposition.ts';
import { FILE_RESPONSES } from './file-responses.ts';
import { findFile } from './find-file.ts';
import { sendFile } from './send-file.ts';

/** GET `@@download/<field>[/<filename>]`: a file, under the name that it has in the site whatever the address says. */
export const getDownload = defineService({
  name: '@@download',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'Downloads the file in a field.',
  rest: ['{field}', '{field}/{filename}'],
  query: documentedQuery(Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER })),
  responses: FILE_RESPONSES,
  async run(request) {
    const context = await atRequestedVersion(request);
    return sendFile(context, findFile(context, '@@download', context.rest[0]), {
      inline: asksInline(context.searchParams),
    });
  },
});
