import { UNWATCHED_TABLES } from '../core/cache/unwatched-tables.ts';
import type { Kernel } from '../core/kernel/kernel.ts';
import { ResponseCheck } from '../core/services/check-response.ts';
import type { ServiceResponse } from '../core/services/response.ts';
import type { Service } from '../core/services/service.ts';
import type { Statement } from '../database/database.ts';
import { tablesReadBy } from '../database/tables-read.ts';

/** Compares the responses of a site in a test with the declarations of its services and tables. */
export type ResponseWatch = {
  onResponse(service: Service, response: ServiceResponse): void;
  /** Checks if statements of a cacheable service read tables whose changes are not noted. */
  onUnwatched(service: Service, statements: readonly Statement[]): Promise<void>;
  /** Throws with every response that differed from the declaration of its service, and with every table that cacheable responses must not use. */
  requireDeclared(): void;
};

/** Finds the tables that a statement reads although their changes are not noted. */
export type UnwatchedReads = (statement: Statement) => Promise<string[]>;

/** Makes this function from the plans of a site's database. */
export const unwatchedReadsOf =
  ({ db, slots }: Pick<Kernel, 'db' | 'slots'>): UnwatchedReads =>
  async (statement) =>
    [...(await tablesReadBy(db, statement))].filter((table) => slots.get(UNWATCHED_TABLES).has(table));

/** Watches a site in a test. Services in `except`, as `METHOD name`, are not checked. */
export function watchResponses(unwatchedReads: UnwatchedReads, except: ReadonlySet<string> = new Set()): ResponseWatch {
  const check = new ResponseCheck();
  const problems = new Set<string>();
  const labelOf = ({ method, name }: Service): string => `${method} ${name || '(content)'}`;
  return {
    onResponse(service, response) {
      const label = labelOf(service);
      if (except.has(label)) return;
      for (const problem of check.problems(service, response)) problems.add(`${label}: ${problem}`);
    },
    async onUnwatched(service, statements) {
      for (const statement of statements)
        for (const table of await unwatchedReads(statement))
          problems.add(
            `${labelOf(service)}: is cacheable, but reads the table "${table}", whose changes nothing notes: see docs/add-ons.md`,
          );
    },
    requireDeclared() {
      if (problems.size > 0) throw new Error(`Responses differ from their declarations:\n${[...problems].join('\n')}`);
    },
  };
}
