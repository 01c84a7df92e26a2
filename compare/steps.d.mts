export interface Step {
  subject: string;
  as: string;
  method: string;
  path: string;
}
export function loadSteps(only?: string[]): Step[];
export function fill(value: unknown, kept: Map<string, string>): unknown;
