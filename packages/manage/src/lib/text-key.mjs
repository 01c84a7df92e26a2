/** Digits of a key. Keys of texts that are too short to differ stop the build. */
export const KEY_LENGTH = 5;

/**
 * Returns the key of an English text in the catalogues (FNV-1a, shortened): the texts themselves would be in each of them again.
 *
 * @param {string} text
 */
export function textKey(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36).padStart(KEY_LENGTH, '0').slice(-KEY_LENGTH);
}
