import { type Caller, callers, type Kernel } from '#core';
import type { ImportJob, ImportRun } from '../import-run.ts';
import type { ConflictRule, DifferenceLog } from './log.ts';

/** The further state of an import of a newer export. */
export type Again = { kernel: Kernel; rule: ConflictRule; differences: DifferenceLog };

export type AgainJob = ImportJob & { again: Again };
export type AgainRun = ImportRun & { again: Again };

/** The caller of all changes: the operator who runs the command has the database, and may do everything. */
export const OPERATOR: Caller = callers.system();
