/** Maximum bytes of a file name on all file systems, with room for the additions of copies. */
const MAX_BYTES = 200;

const encoder = new TextEncoder();
const isShort = (name: string): boolean => encoder.encode(name).length <= MAX_BYTES;

/** Characters that some file systems or archives do not allow. */
const NOT_TAKEN = /[\p{Cc}<>:"|?*]/gu;

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The name on disk for a file name from a user: without folders, within the limits of file systems. The object has the user's name. */
export function diskName(filename: string): string {
  const plain = (filename.split(/[/\\]/).at(-1) ?? '')
    .replace(NOT_TAKEN, '_')
    .replace(RESERVED, '_$&')
    .replace(/[. ]+$/, '');
  if (plain === '') return 'file';
  if (isShort(plain)) return plain;
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 && plain.length - dot <= 20 ? plain.slice(dot) : '';
  let stem = [...plain.slice(0, plain.length - extension.length)];
  while (!isShort(stem.join('') + extension)) stem = stem.slice(0, -1);
  return stem.join('') + extension;
}
