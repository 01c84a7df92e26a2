/** Schemas that many services share, beside those of typebox. `schemas.Text({ maxLength: 100 })` is a text that the database can hold. */
export {
  AnyObject,
  Changes,
  Choice,
  Instant,
  Nullable,
  OpenObject,
  SentBack,
  sentBack,
  Text,
  Words,
} from '../services/schemas.ts';
