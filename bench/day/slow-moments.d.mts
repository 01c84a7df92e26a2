interface Request {
  name: string;
  due: number;
  ms: number;
}
export function slowMoments(
  requests: readonly Request[],
  limitMs: number,
): { from: number; to: number; longest: Request; names: string }[];
