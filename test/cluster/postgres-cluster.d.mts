type Program = {
  readonly name: string;
  readonly port: number;
  readonly isRunning: boolean;
  readonly output: string;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  crash(): Promise<void>;
};
export type Server = Program & {
  readonly url: string;
  promote(): Promise<void>;
  lag(isLagging: boolean): Promise<void>;
  follow(primary: Server): Promise<void>;
};
export type Pooler = Program & { leadTo(server: Server): Promise<void>; stop(): Promise<void> };
export type PostgresCluster = {
  primary: Server;
  standbys: Server[];
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
};
export function isClusterInstalled(): boolean;
export function queryAt<R extends object = Record<string, unknown>>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<R[]>;
export function startPostgresCluster(options?: {
  standbys?: number;
  isSynchronous?: boolean;
  settings?: string[];
}): Promise<PostgresCluster>;
export function addressOf(name: string, ...servers: { port: number }[]): string;
export function startPooler(target: Server, options?: { settings?: string[] }): Promise<Pooler>;
export function until(what: string, attempt: () => unknown, timeout?: number): Promise<void>;
