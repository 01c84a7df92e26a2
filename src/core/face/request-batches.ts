/** Several requests as one: their form, and how they are performed one after the other. `@batch` is made of them. */
export {
  type BatchRequest as Request,
  LIST_OF_REQUESTS as LIST,
  PartBody as Body,
  PartPath as Path,
  type PartResponse as Response,
  performRequests as perform,
} from '../services/batch-requests.ts';
