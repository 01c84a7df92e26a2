import type { Queryable } from '../../../database/database.ts';
import { sqlState } from '../../../database/sql-errors.ts';
import { HAS_CHILDREN, ROW_VERSION } from '../../search/statements/fragments.ts';
import { PATHS } from './load-content.ts';

/** A path to an object as a lookup has found it: what the finding depends on, beside the rows themselves. */
export type FoundWay = {
  /** The root, …, the object. */
  paths: readonly string[];
  oid: number;
  configuration: string;
  /** The versions of the rows along the path, in its order. */
  rowVersions: readonly string[];
};

/** True if the rows of a path, the configuration and the check-outs of the object at its end are as they were found. Unpacks no fields. */
const IS_AS_FOUND = `(select value from site_state where name = 'configuration') = $3
    and array(select c.version from (${PATHS}) p cross join lateral (
        select ${ROW_VERSION('content')} as version from content where content.path = p.path offset 0) c) = $4::text[]
    and not (exists (select from working_copy where copy = $2) or exists (select from working_copy where baseline = $2))`;

const valuesOf = ({ paths, oid, configuration, rowVersions }: FoundWay) => [paths, oid, configuration, rowVersions];

/** SQLSTATE of a transaction that relies on an outdated finding (migrations/0030_earlier_findings.sql). */
const OUTDATED = 'CN001';

/** Says if a transaction failed because of `requireAsFound`. */
export const isOutdated = (error: unknown): boolean => sqlState(error) === OUTDATED;

/** Fails the transaction with its next awaited statement, unless a path is as it was found: see `isOutdated`. */
export async function requireAsFound(tx: Queryable, way: FoundWay): Promise<void> {
  await tx.query({
    name: 'require-as-found',
    deferred: true,
    text: `select case when ${IS_AS_FOUND} then true else reject_outdated() end`,
    values: valuesOf(way),
  });
}

/** Looks, with the next awaited statement, if a path is as it was found and its object has no children. Calls `stands` if so. */
export async function compareChildless(tx: Queryable, way: FoundWay, stands: () => void): Promise<void> {
  await tx.query({
    name: 'compare-childless',
    deferred: true,
    text: `select 1 where ${IS_AS_FOUND} and not ${HAS_CHILDREN('$2')}`,
    values: valuesOf(way),
    received: (rows) => rows.length > 0 && stands(),
  });
}

/** Runs the deferred statements of a transaction now, and throws their failure. */
export async function runDeferred(tx: Queryable): Promise<void> {
  await tx.query({ name: 'run-deferred', text: 'select' });
}
