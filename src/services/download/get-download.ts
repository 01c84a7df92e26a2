import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { atRequestedVersion } from '../history/at-requested-version.ts';
import { VERSION_PARAMETER } from '../history/version-parameter.ts';
import { defineService } from '../service.ts';
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
  query: Type.Object({ ...DispositionQuery.properties, ...VERSION_PARAMETER }),
  responses: FILE_RESPONSES,
  async run(request) {
    const call = await atRequestedVersion(request);
    return sendFile(call, findFile(call, '@@download', call.rest[0]), { inline: asksInline(call.query) });
  },
});
