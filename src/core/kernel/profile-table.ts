import type { Queryable, Transaction } from '../../database/database.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { Slot } from '../../lib/slots.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from './kernel.ts';

/** A piece of a profile, with the file that it is from. */
type TablePiece = { id: string; file: string; data: unknown };

/** A part of a piece that was not written, with the reason: the site does not have what it needs. */
export type LeftOut = { id: string; key: string; reason: string };

/** Context of a change of a table: a transaction that has locked the configuration, and the site after the change. */
export type TableChange = { kernel: Kernel; tx: Transaction; site: Site };

/**
 * Pieces of profiles that are no configuration and are kept in tables of their own, such as groups and content rules. They are
 * installed, upgraded and given up like the others.
 */
export type ProfileTable = {
  /** The kind of the pieces, see `core/configuration/profiles/profile-schema.ts`. */
  kind: string;
  /** A piece as people call it: `group`. */
  noun: string;
  /** The ids of all pieces; those of kinds without it stay out of exports of the set-up. */
  ids?(db: Queryable): Promise<string[]>;
  /** The pieces of these ids that the site has, in the form of `complete`. */
  load(kernel: Kernel, db: Queryable, ids: readonly string[]): Promise<{ id: string; data: JsonObject }[]>;
  /** A piece of a file with all keys that it may leave out, so that it can be compared with one of the site. */
  complete(kernel: Kernel, id: string, data: unknown): JsonObject;
  /** The reason why pieces cannot go, by their ids: `it has members`. */
  uses(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Makes pieces, or replaces the existing ones. Throws BadRequest for an impossible one. */
  write(change: TableChange, pieces: readonly TablePiece[]): Promise<LeftOut[]>;
  /** Removes pieces. */
  remove(change: TableChange, ids: readonly string[]): Promise<void>;
};

/** The tables of a kernel, by the kinds of their pieces. */
export const PROFILE_TABLES = new Slot<ReadonlyMap<string, ProfileTable>>('tables of profiles');
