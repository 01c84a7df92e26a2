import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Returns a function that loads a package at its first call, so that a package that few processes need, or that a site needs later, does not slow the
 * start. The package must be CommonJS, or a module of ECMAScript that waits for nothing at its top.
 */
export function lazyPackage<T>(name: string): () => T {
  let loaded: { exports: T } | undefined;
  return () => {
    loaded ??= { exports: require(name) };
    return loaded.exports;
  };
}
