/** Several requests as one: their form, and the function that performs them one after the other. `@batch` uses them. */
export {
  type BatchRequest as Request,
  LIST_OF_REQUESTS as LIST,
  PartBody as Body,
  PartPath as Path,
  type PartResponse as Response,
  performRequests as perform,
} from '../services/batch-requests.ts';
