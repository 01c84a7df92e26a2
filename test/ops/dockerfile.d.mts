export type Instruction = { name: string; value: string; flags: Record<string, string> };
export type Stage = { base: string; name: string | undefined; instructions: Instruction[] };
export function parseDockerfile(path: string): Stage[];
export function valuesOf(stage: Stage, name: string): Instruction[];
export function listOf(value: string): string[];
export function environmentOf(stage: Stage): Record<string, string>;
