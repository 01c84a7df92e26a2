import type { Database } from '../../src/database/database.ts';

/** An engine that tests run on. */
export type Engine = Database['engine'];

const ENGINES: readonly Engine[] = ['pglite', 'postgresql'];

function isEngine(name: string): name is Engine {
  return ENGINES.some((engine) => engine === name);
}

/** The engines that `TEST_ENGINES` asks for (comma separated); undefined when it is not set. */
export function askedEngines(): Engine[] | undefined {
  const names = process.env.TEST_ENGINES?.split(',').map((name) => name.trim());
  if (names === undefined) return undefined;
  const known = names.filter(isEngine);
  if (known.length !== names.length) throw new Error(`TEST_ENGINES takes ${ENGINES.join(', ')}; got ${names}`);
  return known;
}
