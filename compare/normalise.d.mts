export function normalise(value: unknown, base: string): unknown;
