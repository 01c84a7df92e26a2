import type { ExportSource } from './model.ts';
import { ExportError, type ProblemLog } from './problems.ts';

/** How the program writes links that takes the export. */
export type LinkForms = {
  /** Replaces the addresses of links in HTML. The text around them stays as written. */
  replaceInHtml(html: string, change: (link: string) => string): string;
  /** Returns the UID in a reference to content (`resolveuid/<UID>`) with what follows it; undefined for other links. */
  parseReference(link: string): { uid: string; suffix: string } | undefined;
  /** Returns the reference to a UID. */
  referenceTo(uid: string, suffix: string): string;
};

/** A response of another system. Its body comes as it is read; `close` ends it before its end. */
export type OutsideResponse = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  close(): void;
};

/**
 * Sends a GET to another system, into private networks only if allowed, also where a name leads there. Redirects are not followed. Throws when
 * the system cannot be reached, with the reason as the message.
 */
export type RequestOutside = (
  url: URL,
  options: { headers: Readonly<Record<string, string>>; signal: AbortSignal; isPrivateAllowed: boolean },
) => Promise<OutsideResponse>;

/** How a source is read. */
export type ReadOptions = {
  /** Takes what cannot be read, and what is read as something else. */
  problems: ProblemLog;
  links: LinkForms;
  /** The address of the root of the old site, for sources that do not show it. */
  siteRoot?: string | undefined;
  /** Sends requests for sources that are not on disk. */
  request?: RequestOutside;
  /** Values of the reader's own options, by their names. Only declared ones come. */
  options?: Readonly<Record<string, string>>;
};

/** An option of a reader, which people give as `--reader-option name=value`. */
export type ReaderOption = {
  description: string;
  /** The only values, if there are few. */
  choices?: readonly string[];
};

/** The version of this contract. A program refuses readers of another one. */
export const CONTRACT = 1;

/** Reads one kind of sites, of which it gets the place: a folder, a file, or an address that begins with http:// or https:// if it takes any. */
export type SiteReader = {
  contract: typeof CONTRACT;
  /** Its name behind `--reader`: small letters, digits and `-`. */
  name: string;
  /** The kind of source, such as "a folder of Markdown". */
  title: string;
  /** The files by which it recognises a source, for the message when no reader does. */
  looksFor: string;
  options?: Readonly<Record<string, ReaderOption>>;
  /** Says that it reads addresses, too. Others are never given one. */
  takesAddresses?: boolean;
  /**
   * Says if the place holds what it reads. It looks at names, and at no more of files than their beginnings, and of an
   * address at its text alone. A folder or file exists.
   */
  recognises(place: string): Promise<boolean>;
  /**
   * Opens a source. Nothing is read before the source is asked for it.
   * @throws ExportError when the place cannot be read at all; the message says what to do
   */
  open(place: string, options: ReadOptions): Promise<ExportSource>;
};

/** Declares a reader. */
export const defineReader = (reader: Omit<SiteReader, 'contract'>): SiteReader => ({ contract: CONTRACT, ...reader });

/** Returns the value of an option among its choices, the first one unless given. Throws ExportError for another one. */
export function chosen<Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const found = value === undefined ? choices[0] : choices.find((choice) => choice === value);
  if (found === undefined) throw new ExportError(`The option ${name} takes one of ${choices.join(', ')}.`);
  return found;
}
