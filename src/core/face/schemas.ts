/** Schemas that many services share, beside those of typebox. `schemas.Text({ maxLength: 100 })` is a text that the database can hold. */
export {
  Address,
  AnyObject,
  Changes,
  Choice,
  Extensible,
  Instant,
  Nullable,
  OpenObject,
  SentBack,
  sentBack,
  Text,
  Tokens,
  Words,
} from '../services/schemas.ts';
