// npm runs this after `npm install` in a clone, and before it packs: it builds where the build is missing or old. It is in the package as
// well, where npm runs it for an add-on that takes the installed program as a folder ("file:…"): there is nothing to build then.
import { existsSync } from 'node:fs';

const script = new URL('build-if-stale.mjs', import.meta.url);
if (existsSync(script)) await import(script.href);
