/** Lists that come in parts: parameters of the query, the requested part, links to other parts. */
export {
  Batching as Links,
  BatchOf,
  type BatchRequest as Request,
  batchLinks as linksOf,
  batchOf as of,
  ListOf,
  nextLink,
} from '../serializer/batch.ts';
export { Batching as Query, BatchSize as Size } from '../services/schemas.ts';
