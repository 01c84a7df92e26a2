/** Digits of a key. */
export declare const KEY_LENGTH: number;
export function textKey(text: string): string;
