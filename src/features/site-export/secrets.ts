import { randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Kernel, type Site, secretBox } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { ExportRefused, tableFile } from './format.ts';
import type { KeptTable } from './tables.ts';

/** The key of an encrypted value in an export. */
const SEALED = 'canopy:encrypted';
/** The place that the encryption is bound to, so that a value of an export cannot be used as a value of a site. */
const PLACE = 'export';

/** Parameters that cost some tenths of a second for each guess at a passphrase. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** The box that a passphrase opens. `salt` is the salt of the export. */
function passphraseBox(passphrase: string, salt: string): secretBox.Box {
  return new secretBox.Box(scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT).toString('base64url'), []);
}

/** The salt and the proof by which an export checks a passphrase. */
export type PassphraseKey = { salt: string; proof: string };

const PROOF = 'canopy';

/** Opens an encrypted text; undefined for a text that this box has not sealed. */
function textIn(box: secretBox.Box, sealed: string): string | undefined {
  try {
    return box.open(sealed, PLACE);
  } catch {
    // Any fault of the text has the same result.
    return undefined;
  }
}

const opens = (box: secretBox.Box, proof: string): boolean => textIn(box, proof) === PROOF;

/** Blocks may have any keys, and contain no secrets. */
const isWalked = (key: string): boolean => key !== 'blocks';

/** Returns the value in the place of the value of a key; undefined if it stays. */
type Replace = (key: string, value: unknown) => { is: unknown } | undefined;

/** Replaces the values for which `replace` returns another value; `undefined` as value removes them. Returns the same object when nothing changes. */
function mapObject(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) {
    const next = value.map((one) => mapObject(one, replace));
    return next.some((one, i) => one !== value[i]) ? next : value;
  }
  if (!isJsonObject(value)) return value;
  const next: [string, unknown][] = [];
  let isChanged = false;
  for (const [key, one] of Object.entries(value)) {
    const replaced = replace(key, one) ?? { is: isWalked(key) ? mapObject(one, replace) : one };
    isChanged ||= replaced.is !== one;
    if (replaced.is !== undefined) next.push([key, replaced.is]);
  }
  return isChanged ? Object.fromEntries(next) : value;
}

/** Replaces values in the columns of a row. */
function mapColumns({ values = [], fields = [] }: KeptTable, row: JsonObject, replace: Replace): void {
  for (const column of values) row[column] = mapObject(row[column], replace);
  const others = Object.fromEntries(fields.map((name) => [name, row[name]]));
  const mapped = mapObject(others, replace);
  if (isJsonObject(mapped) && mapped !== others) for (const name of fields) row[name] = mapped[name] ?? null;
}

/**
 * The treatment of secrets in an export. Secrets that the site must be able to decrypt, such as the password of its mail server,
 * are encrypted with a passphrase, or left out. Hashes of passwords do not count as secrets.
 */
export class Secrets {
  readonly #names: ReadonlySet<string>;
  readonly #site: secretBox.Box;
  readonly #box: secretBox.Box | undefined;
  /** The check of the passphrase; null without a passphrase. */
  readonly key: PassphraseKey | null;
  /** Secrets that were left out. */
  left = 0;

  private constructor(
    names: ReadonlySet<string>,
    site: secretBox.Box,
    box: secretBox.Box | undefined,
    key: PassphraseKey | null,
  ) {
    this.#names = names;
    this.#site = site;
    this.#box = box;
    this.key = key;
  }

  /** Makes the secrets of an export. `own` is the box of the site. */
  static forExport(kernel: Kernel, site: Site, own: secretBox.Box, passphrase: string | undefined): Secrets {
    const settings = kernel.panels
      .all()
      .flatMap((panel) => panel.settings.filter(({ secret }) => secret))
      .flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
    const fields = [...site.types.values()].flatMap((type) =>
      type.fields.filter((field) => kernel.fieldKinds.of(field).secret).map(({ name }) => name),
    );
    const names = new Set([...settings, ...fields]);
    if (passphrase === undefined) return new Secrets(names, own, undefined, null);
    const salt = randomBytes(16).toString('base64url');
    const box = passphraseBox(passphrase, salt);
    return new Secrets(names, own, box, { salt, proof: box.seal(PROOF, PLACE) });
  }

  /**
   * Makes the secrets of an import. Without a passphrase the secrets are left out.
   * @throws ExportRefused when the passphrase is another one than that of the export
   */
  static forImport(own: secretBox.Box, key: PassphraseKey | null, passphrase: string | undefined): Secrets {
    const box = passphrase === undefined || key === null ? undefined : passphraseBox(passphrase, key.salt);
    if (box && key && !opens(box, key.proof))
      throw new ExportRefused('The secrets of the export were encrypted with another passphrase.');
    return new Secrets(new Set(), own, box, key);
  }

  /** Converts a row of a table for the export; null for a row that is left out because it is useless without its secret. */
  protect(table: KeptTable, row: string): string | null {
    const { values = [], sealed = {}, emptied = {} } = table;
    const isTouched =
      Object.keys(sealed).length > 0 ||
      Object.keys(emptied).some((column) => !row.includes(`"${column}": null`)) ||
      (values.length > 0 && [...this.#names].some((name) => row.includes(`"${name}":`)));
    if (!isTouched) return row;
    const parsed: JsonObject = JSON.parse(row);
    let next: JsonObject = { ...parsed };
    for (const column of Object.keys(emptied)) next[column] = null;
    mapColumns(table, next, (key, value) => this.#protectValue(key, value));
    for (const [column, placeOf] of Object.entries(sealed)) {
      const value = next[column];
      if (typeof value !== 'string') continue;
      if (!this.#box) {
        this.left += 1;
        return null;
      }
      next = { ...next, [column]: this.#box.seal(this.#site.open(value, placeOf(parsed)), PLACE) };
    }
    return JSON.stringify(next);
  }

  #protectValue(key: string, value: unknown): { is: unknown } | undefined {
    if (!this.#names.has(key) || typeof value !== 'string' || value === '') return undefined;
    if (this.#box) return { is: { [SEALED]: this.#box.seal(value, PLACE) } };
    this.left += 1;
    return { is: undefined };
  }

  /** Converts a row for the new site; null for a row that is useless without its secret. */
  restore(table: KeptTable, row: string): string | null {
    const { sealed = {} } = table;
    const isSealed = Object.keys(sealed).length > 0;
    if (!isSealed && !row.includes(`"${SEALED}":`)) return row;
    const box = this.#box;
    if (isSealed && !box) {
      this.left += 1;
      return null;
    }
    const parsed: JsonObject = JSON.parse(row);
    const next: JsonObject = { ...parsed };
    mapColumns(table, next, (_key, value) => this.#restoreValue(value));
    for (const [column, placeOf] of Object.entries(sealed)) {
      const value = next[column];
      const text = box && typeof value === 'string' ? textIn(box, value) : undefined;
      if (text === undefined) throw new ExportRefused(`A secret in ${tableFile(table.name)} cannot be decrypted.`);
      next[column] = this.#site.seal(text, placeOf(parsed));
    }
    return JSON.stringify(next);
  }

  #restoreValue(value: unknown): { is: unknown } | undefined {
    const encrypted = isJsonObject(value) ? value[SEALED] : undefined;
    if (typeof encrypted !== 'string') return undefined;
    if (!this.#box) {
      this.left += 1;
      return { is: undefined };
    }
    const text = textIn(this.#box, encrypted);
    // A text that an editor wrote in the form of a secret stays unchanged.
    return text === undefined ? undefined : { is: text };
  }
}

/** Minimum characters of a passphrase, because a thief of the export may guess without a limit. */
export const MIN_PASSPHRASE = 12;

/**
 * The first line of a file.
 * @throws ExportRefused when it cannot be read, or the line is too short
 */
export function loadPassphrase(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExportRefused(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [line = ''] = text.split(/\r?\n/);
  if (line.length < MIN_PASSPHRASE)
    throw new ExportRefused(
      `The first line of ${file} is the passphrase: it must have ${MIN_PASSPHRASE} characters at least.`,
    );
  return line;
}
