import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/bin/canopy.js', import.meta.url));

/** Says if there is a build to test; CI builds first. */
export const isBuilt = (): boolean => existsSync(PROGRAM);

/** The most milliseconds for a start or an end on a busy machine. */
const PATIENCE = 60_000;

/** A run of the built program. */
export class Program {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';

  /** Runs `canopy <args>` with these settings and nothing else of this process's environment but the path. */
  constructor(args: string[], settings: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env.PATH ?? '', PORT: '0', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** The address that the program prints once it serves. Rejects when it ends instead. */
  async address(): Promise<string> {
    const deadline = Date.now() + PATIENCE;
    while (Date.now() < deadline) {
      const url = /^Canopy serves (\S+)$/m.exec(this.stdout)?.[1];
      if (url !== undefined) return url;
      if (this.process.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`The program does not serve: ${this.stdout}${this.stderr}`);
  }

  /** The password that it printed. */
  password(): string | undefined {
    return /^The password of admin is (\S+)$/m.exec(this.stdout)?.[1];
  }

  /** The exit code, once the program has ended and all of its output is read. */
  async ended(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      await once(this.process, 'close', { signal: AbortSignal.timeout(PATIENCE) });
    }
    return this.process.exitCode;
  }

  /** Sends SIGTERM and returns the exit code. */
  async stop(): Promise<number | null> {
    this.process.kill('SIGTERM');
    return this.ended();
  }
}
