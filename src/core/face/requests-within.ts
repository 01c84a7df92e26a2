/** Requests that the server sends to itself as parts of one transaction, each by the same steps and checks as one that a client sends. */
export { doInBackground as inBackground } from '../http/requests-within.ts';
export { onBehalfOf, partsOf, type RequestsWithin as Sender } from '../services/requests-within.ts';
export type { PreviewWork, SitePreview } from '../services/site-preview.ts';
