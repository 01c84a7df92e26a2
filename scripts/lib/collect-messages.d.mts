/** Imports a module of `src` by its path there, without an ending. */
type Load = (module: string) => Promise<Record<string, unknown>>;

export function collectMessages(root: string, load: Load): Promise<Map<string, Set<string>>>;
