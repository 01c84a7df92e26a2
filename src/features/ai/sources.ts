import {
  access,
  type ContentObject,
  findContents,
  has,
  panelSettings,
  panels,
  publishing,
  type RenderContext,
  type RequestContext,
  type ResolvedNode,
  searchWords,
  security,
  urlOf,
  VIEW,
} from '#core';
import { EMBEDDINGS } from '../related/embeddings.ts';
import { excerpt } from './excerpt.ts';
import { findByWords } from './statements.ts';

/** Content that the model gets with a question: its address, title and type, and a part of its text. */
export type Source = { url: string; title: string; type: string; text: string };

/** Maximum number of objects of the site that go with a question, and characters of each. Small models read some thousand words at most. */
const MAX_FOUND = 5;
const FOUND_LENGTH = 1500;
/** Maximum characters of the page from which a question is asked. */
const PAGE_LENGTH = 5000;
/** Words of a question that are looked for. */
const MAX_WORDS = 16;
/** In the fusion of two lists a place counts 1 / (RANK_OFFSET + place), so that the first places do not outweigh all others. */
const RANK_OFFSET = 60;

/** The words of a text, each once, without single letters and digits in scripts whose words have several letters. */
function wordsIn(text: string): string[] {
  const words = new Set<string>();
  for (const word of searchWords.of(text)) {
    if (word.length > 1 || /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(word)) words.add(word);
    if (words.size === MAX_WORDS) break;
  }
  return [...words];
}

/** Merges several lists into one, by the places in each (reciprocal rank fusion). */
function fused(lists: readonly (readonly number[])[]): number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [place, oid] of list.entries()) scores.set(oid, (scores.get(oid) ?? 0) + 1 / (RANK_OFFSET + place));
  return [...scores].sort(([, a], [, b]) => b - a).map(([oid]) => oid);
}

/** The values of the fields that the caller may read. */
function readableFields({ site, caller }: RenderContext, resolved: ResolvedNode): ContentObject['fields'] {
  const hidden = (site.types.get(resolved.object.type)?.fields ?? []).filter(
    ({ writeOnly, read_permission: permission }) =>
      writeOnly ||
      (permission !== undefined && !security.can(permission, caller, access.chain(site, resolved), site.roleMap)),
  );
  const fields = { ...resolved.object.fields };
  for (const { name } of hidden) delete fields[name];
  return fields;
}

function sourceOf(context: RenderContext, resolved: ResolvedNode, words: readonly string[], length: number): Source {
  const { object } = resolved;
  const fields = readableFields(context, resolved);
  const { subjects, body } = searchWords.plainText(context.kernel.blocks, fields);
  const description = typeof fields.description === 'string' ? fields.description : '';
  const text = [description, subjects, body].filter((part) => part.trim() !== '').join('\n');
  return {
    url: urlOf(context.base, object.path),
    title: typeof fields.title === 'string' ? fields.title : object.name,
    type: object.type,
    text: excerpt(text, words, length),
  };
}

/** The page that a question is asked from. The caller may view it. */
export const pageSource = (context: RenderContext, resolved: ResolvedNode, question: string): Source =>
  sourceOf(context, resolved, wordsIn(question), PAGE_LENGTH);

/**
 * Finds the content most related to a question, as far as the caller may view it: by meaning where there is a model for embeddings, and by words.
 * Objects of types that are not searched are left out. `without` is an object that goes with the question anyway.
 */
export async function findSources(
  context: RequestContext,
  question: string,
  without: number | undefined,
): Promise<Source[]> {
  const { kernel, db, site, caller } = context;
  const words = wordsIn(question);
  const scope = {
    ...publishing.viewersOf(site, caller),
    hiddenTypes: panelSettings(site, panels.search).types_not_searched,
    limit: 2 * MAX_FOUND,
  };
  const stemmers = [...new Set([searchWords.stemmer(panelSettings(site, panels.language).default_language)])];
  const byWords = await findByWords(db, { ...scope, words, stemmers });
  const byMeaning = (await kernel.slots.find(EMBEDDINGS)?.nearestTo(question, scope, context.trace)) ?? [];
  const oids = fused([byMeaning, byWords])
    .filter((oid) => oid !== without)
    .slice(0, MAX_FOUND);
  const found = await findContents(db, { oids });
  return (
    found
      // An object may have been hidden between the two statements.
      .filter((resolved) => has(context.site, context.caller, resolved, VIEW))
      .map((resolved) => sourceOf(context, resolved, words, FOUND_LENGTH))
  );
}
