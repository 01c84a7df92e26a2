import type { Node } from './model.ts';

const isTaken = (container: Node, name: string): boolean => container.children.some((child) => child.name === name);

const firstFree = (container: Node, nameOf: (number: number) => string, from: number): string => {
  for (let number = from; ; number += 1) if (!isTaken(container, nameOf(number))) return nameOf(number);
};

/** The name of new or restored content: `a`, else `a-1`, `a-2`, … */
export const freeName = (container: Node, name: string): string =>
  isTaken(container, name) ? firstFree(container, (number) => `${name}-${number}`, 1) : name;

/** The name of copied or moved content: `a`, else `copy_of_a`, `copy2_of_a`, … A copy of `copy_of_a` continues the numbers. */
export function nameOfCopy(container: Node, name: string): string {
  if (!isTaken(container, name)) return name;
  const [, number, original = name] = /^copy(\d*)_of_(.+)$/.exec(name) ?? [];
  const from = number === undefined ? 1 : Number(number || '1') + 1;
  return firstFree(container, (next) => `copy${next === 1 ? '' : next}_of_${original}`, from);
}
