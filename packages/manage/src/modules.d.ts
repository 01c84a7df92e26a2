declare module '*.css';

declare module 'virtual:catalogues' {
  /** Loads the translations of a language, by the keys of the English texts. */
  export const catalogues: Readonly<Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>>;
}
