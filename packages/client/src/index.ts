export {
  type Change,
  type ChangePlace,
  Changes,
  type ChangesOptions,
  type ContentChange,
  type ListAgain,
} from './changes.ts';
export { Client, createClient } from './client.ts';
export {
  BadRequestError,
  CanopyError,
  ChangedError,
  ConflictError,
  ConnectionError,
  type FieldProblem,
  ForbiddenError,
  MovedError,
  NotFoundError,
  ResponseError,
  ServerError,
  TooManyRequestsError,
  UnauthorizedError,
} from './errors.ts';
export type { ImageAttributes, ImageOptions } from './images.ts';
export { type Batch, type FacetValue, Listing } from './listing.ts';
export { type GetOptions, Place, type ServiceOptions, type WriteOptions } from './place.ts';
export type { RetryOptions } from './retry.ts';
export type { ClientOptions, Query, RequestOptions } from './transport.ts';
export type {
  Address,
  AnyContent,
  AnyExpansions,
  AnySite,
  Block,
  BlockName,
  BlockOf,
  ContentOf,
  NavigationItem,
  Picture,
  Scale,
  Search,
  SearchOptions,
  SiteTypes,
  StoredFile,
  Summary,
  TypeName,
} from './types.ts';
export type { UploadOptions } from './upload.ts';
