import type { ExportFolder } from '../export-folder.ts';
import type { ProblemLog } from '../import-report.ts';
import type { ImportAddress, ImportFormat, ImportItem, ImportSource } from '../import-source.ts';
import { buildItem } from './item.ts';
import { CONVERSATION, type IndexEntry, type ItemFile, indexItems, loadEntry } from './item-index.ts';
import { streamJsonList } from './json-list.ts';
import {
  parseComments,
  parseGroups,
  parseRedirects,
  parseRelation,
  parseTranslationGroup,
  parseUsers,
} from './records.ts';
import { loadAhead } from './sequences.ts';
import type { SideData } from './side-data.ts';

/** Where an export format keeps its parts. */
export type Layout = {
  format: ImportFormat;
  folder: ExportFolder;
  problems: ProblemLog;
  itemFiles: () => Promise<ItemFile[]>;
  sideData: () => Promise<SideData>;
  /** Conversations that are stored outside of the objects. */
  conversations: () => AsyncIterable<{ uid: string; conversation: unknown }>;
  /** Names of files, each of which may be absent. */
  files: { principals: string; redirects: string; translations: string; relations: string };
};

/** Creates the source of an export. The objects of both formats are plone.restapi's JSON. */
export function createSource({ format, folder, problems, files, ...layout }: Layout): ImportSource {
  const index = once(async () => {
    for (const name of ['portlets.json', 'export_portlets.json'])
      if (await folder.has(name)) problems.add({ file: name, message: 'Portlets are not imported.' });
    return indexItems(await layout.itemFiles(), folder, problems);
  });
  const sideData = once(layout.sideData);
  const principals = once(() => folder.json(files.principals, { optional: true }));

  async function* items(wanted: (address: ImportAddress) => boolean = () => true): AsyncGenerator<ImportItem> {
    const [{ entries, site }, side] = [await index(), await sideData()];
    const load = async (entry: IndexEntry): Promise<ImportItem | null> => {
      const raw = await loadEntry(entry, folder, problems);
      return raw ? buildItem(entry, raw, { folder, site, side, problems }) : null;
    };
    for await (const item of loadAhead(filtered(entries, wanted), load)) if (item) yield item;
  }

  async function* allConversations(): AsyncGenerator<{ uid: string; conversation: unknown }> {
    yield* layout.conversations();
    for (const entry of (await index()).entries) {
      if (!entry.hasComments) continue;
      const raw = await loadEntry(entry, folder, problems);
      if (raw) yield { uid: entry.uid, conversation: raw[CONVERSATION] };
    }
  }

  return {
    format,
    count: async () => (await index()).entries.length,
    addresses: async () => (await index()).entries,
    items,
    async *users() {
      yield* parseUsers(await principals(), files.principals, problems);
    },
    async *groups() {
      yield* parseGroups(await principals(), files.principals, problems);
    },
    async *redirects() {
      const { site } = await index();
      yield* parseRedirects(await folder.json(files.redirects, { optional: true }), site, files.redirects, problems);
    },
    async *translations() {
      for await (const { value } of streamJsonList(folder, files.translations, problems, { optional: true })) {
        const group = parseTranslationGroup(value, files.translations, problems);
        if (group) yield group;
      }
    },
    async *relations() {
      for await (const { value } of streamJsonList(folder, files.relations, problems, { optional: true })) {
        const relation = parseRelation(value, files.relations, problems);
        if (relation) yield relation;
      }
    },
    async *comments() {
      // The exporters may write one conversation twice: into the object and into the file of all conversations.
      const seen = new Set<string>();
      for await (const { uid, conversation } of allConversations()) {
        if (seen.has(uid)) continue;
        seen.add(uid);
        yield* parseComments(uid, conversation, problems);
      }
    },
    problems: () => problems.all(),
  };
}

function* filtered<T>(values: Iterable<T>, wanted: (value: T) => boolean): Generator<T> {
  for (const value of values) if (wanted(value)) yield value;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
