interface Expected {
  path: string;
  isThere: boolean;
  at: number;
}
interface Stale {
  request: string;
  path: string;
  ms: number;
  shown?: number;
  wanted?: number;
  status?: number;
  isThere?: boolean;
}
export class Ledger {
  constructor(prefix: string);
  allowedMs: number;
  compared: number;
  late: number;
  latestMs: number;
  stale: Stale[];
  next(): number;
  acknowledge(path: string, number: number): void;
  unsettle(path: string): void;
  settle(path: string, isThere: boolean): void;
  news(random: () => number): Expected | undefined;
  check(
    request: { path: string; kind: string; expected?: Expected | undefined },
    response: { status: number; body: Buffer },
    sentAt: number,
  ): void;
}
export function titleOf(number: number): string;
