import type { Queryable, Transaction } from '../../database/database.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from './kernel.ts';

/** A piece of a profile, with the file that it is from. */
type TablePiece = { id: string; file: string; data: unknown };

/** A part of a piece that was not written because the site lacks something, with the reason. */
export type LeftOut = { id: string; key: string; reason: string };

/** Context of a change of a table: a transaction that has locked the configuration, and the site after the change. */
export type TableChange = { kernel: Kernel; tx: Transaction; site: Site };

/**
 * Pieces of profiles that are no configuration but rows in tables of their own, such as groups and content rules. They are installed, upgraded and
 * uninstalled like other pieces.
 */
export type ProfileTable = {
  /** The kind of the pieces, see `core/configuration/profiles/profile-schema.ts`. */
  kind: string;
  /** The word for a piece in messages, such as `group`. */
  noun: string;
  /** The ids of all pieces. Without this function, the pieces stay out of exports of the set-up. */
  ids?(db: Queryable): Promise<string[]>;
  /** The existing pieces with these ids, in the form of `complete`. */
  load(kernel: Kernel, db: Queryable, ids: readonly string[]): Promise<{ id: string; data: JsonObject }[]>;
  /** Adds the optional keys to a piece of a file, so that it can be compared with a piece of the site. */
  complete(kernel: Kernel, id: string, data: unknown): JsonObject;
  /** The reasons why pieces cannot be removed, such as `it has members`, by their ids. */
  uses(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Makes pieces, or replaces the existing ones. Throws BadRequest for an impossible one. */
  write(change: TableChange, pieces: readonly TablePiece[]): Promise<LeftOut[]>;
  /** Removes pieces. */
  remove(change: TableChange, ids: readonly string[]): Promise<void>;
};

/** The tables of a kernel, by the kinds of their pieces. */
export const PROFILE_TABLES = new Slot<ReadonlyMap<string, ProfileTable>>('tables of profiles');
