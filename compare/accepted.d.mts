import type { Difference } from './differences.mjs';
import type { Step } from './steps.mjs';

export interface Accepted {
  what: string;
  at: string | string[];
  reason: string;
  requests?: string | string[];
  as?: string | string[];
  kind?: string | string[];
}
export interface Section {
  title: string;
  text?: string;
  differences: Accepted[];
}
export function loadAccepted(): Section[];
export function acceptance(sections?: Section[]): {
  accepts(step: Pick<Step, 'as' | 'method' | 'path'>, difference: Difference): boolean;
  unused(): { what: string; patterns: string[] }[];
};
export function documentOf(sections: Section[]): string;
