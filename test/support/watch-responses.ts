import { ResponseCheck } from '../../src/services/check-response.ts';
import type { Service, ServiceResponse } from '../../src/services/service.ts';

/**
 * Services whose responses do not fit their schemas yet, as `METHOD name`. The list must only get shorter: whoever declares
 * what a service returns takes it off.
 */
const UNDECLARED = new Set<string>([]);

/** Compares every response of a site with the declaration of its service; what differs fails the tests at the end. */
export function watchResponses() {
  const check = new ResponseCheck();
  const problems = new Set<string>();
  return {
    onResponse(service: Service, response: ServiceResponse): void {
      const label = `${service.method} ${service.name || '(content)'}`;
      if (UNDECLARED.has(label)) return;
      for (const problem of check.problems(service, response)) problems.add(`${label}: ${problem}`);
    },
    /** Throws with all responses that differed from what their services declare. */
    requireDeclared(): void {
      if (problems.size > 0) throw new Error(`Responses differ from their declarations:\n${[...problems].join('\n')}`);
    },
  };
}
