interface Measured {
  latencies: number[];
}
export function findRate<Result extends Measured>(
  run: (rate: number, part: number) => Promise<Result>,
): Promise<{
  rate: number;
  result: Result | undefined;
  askedTwice: { rate: number; p99: [first: number, second: number] }[];
}>;
