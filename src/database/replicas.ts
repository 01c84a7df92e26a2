import { Slot } from '../lib/slots.ts';
import type { Database, Queryable, Row, Statement } from './database.ts';
import { forward } from './forward.ts';

/** The snapshot that a poll of the primary has returned. */
export type SeenSnapshot = {
  /** The transactions that were over at the snapshot, in the text form of pg_snapshot. */
  snapshot: string;
  /** Identifies the server and its start. */
  server: string;
  /** A place in the log of writes of the server, in bytes, behind everything from which responses were made at that time. */
  position: number;
};

/** The state of a replica, for monitoring. */
export type ReplicaFigures = {
  /** Host, port and database. */
  address: string;
  /**
   * `reading`: it answers requests; `behind`: it has not yet replayed the changes that requests need; `lost`: it cannot be reached; `foreign`: it
   * does not follow this primary, or is no longer a replica.
   */
  state: 'reading' | 'behind' | 'lost' | 'foreign';
  /** Bytes of the log of writes between the place that requests need and the place of the replica; null if unknown. */
  behindBytes: number | null;
  /** The number of requests that it has answered, and of requests that it began and the primary repeated. */
  reads: number;
  repeated: number;
};

/** A replica that has reached a snapshot. Its statements fail when they would see less than the snapshot. */
export interface ReplicaReader {
  query<R extends object = Row>(statement: Statement): Promise<R[]>;
  /**
   * True when no change of the site has come to the replica since the snapshot: then the read rows are those of the primary at that time. Counts the
   * reads as done, or as repeated.
   */
  confirm(): Promise<boolean>;
  /** Counts a failure, after which the reads are repeated. */
  failed(): void;
}

/** The replicas of a database. */
export interface Replicas {
  /** Finds a replica that has reached the snapshot; undefined when no replica has at present. */
  find(snapshot: SeenSnapshot): Promise<ReplicaReader | undefined>;
  figures(): ReplicaFigures[];
  close(): Promise<void>;
}

/** The replicas of the site's database, if any. */
export const REPLICAS = new Slot<Replicas>('replicas of the database');

/** The database, but reading statements outside of transactions are sent to a replica. */
export const readingFrom = (db: Database, replica: Pick<Queryable, 'query'>): Database =>
  forward(db, { query: (statement) => db.query({ ...statement, replica }) });
