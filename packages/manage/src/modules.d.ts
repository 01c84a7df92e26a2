declare module '*.css';

declare module 'virtual:catalogues' {
  /** The keys of the English texts, one after the other. */
  export const keys: string;
  /** Loads the translations of a language: a line for each key, empty where there is no translation. */
  export const catalogues: Readonly<Record<string, () => Promise<{ default: string }>>>;
}
