import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder of the package such as `profiles`, found from the source as well as from its compiled form. Throws when it is missing. */
export function packageFolder(name: string): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (let folder = own; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) {
      const candidate = join(folder, name);
      if (existsSync(candidate)) return candidate;
    }
    if (folder === dirname(folder)) throw new Error(`No folder ${name} of the package above ${own}`);
  }
}
