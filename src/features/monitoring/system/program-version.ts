import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../../lib/json-object.ts';
import { packageFolder } from '../../../lib/package-folder.ts';

let version: string | undefined;

/** The version of this program, as its package states it. */
export function programVersion(): string {
  if (version === undefined) {
    const manifest: unknown = JSON.parse(readFileSync(packageFolder('package.json'), 'utf8'));
    version = isJsonObject(manifest) ? String(manifest.version) : '0';
  }
  return version;
}
