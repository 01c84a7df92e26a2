/** Whole databases: open, lock and replace them, and make the schema of a version, for backups and their restore. */
export type { ProblemLog } from '../../database/database.ts';
export { loadSchemaVersion as schemaVersion } from '../../database/migrate.ts';
export { hasEmbedded, openDatabase as open, replaceEmbedded } from '../../database/open.ts';
export { acquireDataLock as acquireLock, type DataLock as Lock } from '../../database/pglite/data-lock.ts';
export { PROCESS_NAME } from '../../database/postgres/write-lease.ts';
export { type MigrationFolders, rebuildSchema, requireVersion } from '../../database/rebuild-schema.ts';
