export function textKey(text: string): string;
