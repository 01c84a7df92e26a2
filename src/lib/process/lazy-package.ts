import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Returns a function that gives a package and loads it at its first call: a package that few processes need, or that a site needs some time
 * after its start, does not slow the start. The package must be CommonJS, or have a form that is.
 */
export function lazyPackage<T>(name: string): () => T {
  let loaded: { exports: T } | undefined;
  return () => {
    loaded ??= { exports: require(name) };
    return loaded.exports;
  };
}
