/** The part that is used here; the types of Node have none of it. */
declare namespace WebAssembly {
  const Module: abstract new () => NonNullable<import('@electric-sql/pglite').PGliteOptions['pgliteWasmModule']>;
  function compile(
    bytes: Uint8Array,
  ): Promise<NonNullable<import('@electric-sql/pglite').PGliteOptions['pgliteWasmModule']>>;
}
