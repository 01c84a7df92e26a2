import { ResponseCheck } from '../services/check-response.ts';
import type { Service, ServiceResponse } from '../services/service.ts';

/** What compares the responses of a site in a test with the declarations of its services. */
export type ResponseWatch = {
  onResponse(service: Service, response: ServiceResponse): void;
  /** Throws with every response that differed from what its service declares. */
  requireDeclared(): void;
};

/** Watches a site in a test. Services of `except`, as `METHOD name`, are not looked at. */
export function watchResponses(except: ReadonlySet<string> = new Set()): ResponseWatch {
  const check = new ResponseCheck();
  const problems = new Set<string>();
  return {
    onResponse(service, response) {
      const label = `${service.method} ${service.name || '(content)'}`;
      if (except.has(label)) return;
      for (const problem of check.problems(service, response)) problems.add(`${label}: ${problem}`);
    },
    requireDeclared() {
      if (problems.size > 0) throw new Error(`Responses differ from their declarations:\n${[...problems].join('\n')}`);
    },
  };
}
