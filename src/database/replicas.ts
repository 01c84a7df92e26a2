import { Slot } from '../lib/slots.ts';
import type { Database, Queryable, Row, Statement } from './database.ts';
import { forward } from './forward.ts';

/** The snapshot that a poll of the primary has returned. */
export type SeenSnapshot = {
  /** The transactions that were over then, in the text form of pg_snapshot. */
  snapshot: string;
  /** Identifies that server and its start. */
  server: string;
  /** A place in its log of writes, in bytes, by which everything is there that responses were made of then. */
  position: number;
};

/** The state of a replica, for monitoring. */
export type ReplicaFigures = {
  /** Host, port and database. */
  address: string;
  /**
   * `reading`: it answers requests; `behind`: it has not yet replayed what they need; `lost`: it cannot be reached; `foreign`: it does
   * not follow this primary, or is a replica no more.
   */
  state: 'reading' | 'behind' | 'lost' | 'foreign';
  /** Bytes of the log of writes between what requests need and what it has; null where that is not known. */
  behindBytes: number | null;
  /** Requests that it has answered, and those that it began and the primary did. */
  reads: number;
  repeated: number;
};

/** A replica that has all of a snapshot. Its statements fail when they would see less than that. */
export interface ReplicaReader {
  query<R extends object = Row>(statement: Statement): Promise<R[]>;
  /**
   * True when no change of the site has come to the replica since the snapshot: then what was read is what the
   * primary had at that time. Counts what was read as done, or as to be repeated.
   */
  confirm(): Promise<boolean>;
  /** Counts a failure: what was read is to be repeated. */
  failed(): void;
}

/** The replicas of a database. */
export interface Replicas {
  /** Finds a replica that has all of the snapshot; undefined when no replica has it at present. */
  find(snapshot: SeenSnapshot): Promise<ReplicaReader | undefined>;
  figures(): ReplicaFigures[];
  close(): Promise<void>;
}

/** The replicas of the site's database, where there are some. */
export const REPLICAS = new Slot<Replicas>('replicas of the database');

/** The database with its reading statements outside of transactions sent to a replica. */
export const readingFrom = (db: Database, replica: Pick<Queryable, 'query'>): Database =>
  forward(db, { query: (statement) => db.query({ ...statement, replica }) });
