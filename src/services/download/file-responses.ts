import type { Service } from '../service.ts';

const BYTES = 'application/octet-stream';

/** What the services that send files answer. */
export const FILE_RESPONSES: Service['responses'] = {
  200: { description: 'The bytes of the file, under its own media type.', contentType: BYTES },
  206: { description: 'The part of the file that the header Range names.', contentType: BYTES },
  304: { description: 'The client has these bytes already (If-None-Match).' },
  404: { description: 'There is no such field, or no file in it that the caller may read.' },
  416: { description: 'The range lies outside the file.' },
};
