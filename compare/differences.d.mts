export interface Difference {
  kind: string;
  at: string;
  plone: unknown;
  canopy: unknown;
}
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
export function differencesOf(plone: Answer, canopy: Answer): Difference[];
