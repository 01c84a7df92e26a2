import {
  type ExportedAddress,
  type ExportedItem,
  type ExportedPart,
  type ExportFolder,
  type ExportSource,
  isJsonObject,
  type JsonObject,
  loadAhead,
  once,
  type ProblemLog,
  type ReadOptions,
} from '@canopy-server/site-reader';
import { buildItem } from './item.ts';
import { CONVERSATION, type IndexEntry, type ItemFile, indexItems, loadEntry } from './item-index.ts';
import { streamJsonList } from './json-list.ts';
import { reportPortlets } from './portlets.ts';
import { parseGroups, parseUsers } from './principals.ts';
import { parseComments, parseRedirects, parseRelation, parseTranslationGroup } from './records.ts';
import { lookUp, reportStrangers, type SideData } from './side-data.ts';

/** The places of the parts in an export format. */
export type Layout = ReadOptions & {
  format: 'collective.exportimport' | 'plone.exportimport';
  folder: ExportFolder;
  itemFiles: () => Promise<ItemFile[]>;
  sideData: () => Promise<SideData>;
  /** Conversations that are stored outside of the objects. */
  conversations: () => AsyncIterable<{ uid: string; conversation: unknown }>;
  /** The parts of the export, also empty ones, which say that the old site has nothing of the kind. */
  present: () => Promise<ExportedPart[]>;
  /** Names of the existing files. */
  files: {
    principals: string[];
    redirects: string[];
    translations: string[];
    relations: string[];
    portlets: string[];
  };
};

/** Creates the source of an export. The objects of both formats are plone.restapi's JSON. */
export function createSource({ format, folder, problems, links, siteRoot, files, ...layout }: Layout): ExportSource {
  const index = once(async () => {
    const found = await indexItems(await layout.itemFiles(), folder, { problems, siteRoot });
    await reportPortlets(folder, files.portlets, { site: found.site, problems });
    return found;
  });
  const sideData = once(async () => {
    const data = await layout.sideData();
    reportStrangers(data, (await index()).entries, problems);
    return data;
  });

  async function* items(wanted: (address: ExportedAddress) => boolean = () => true): AsyncGenerator<ExportedItem> {
    const [{ entries, site, has }, side] = [await index(), await sideData()];
    const load = async (entry: IndexEntry): Promise<ExportedItem | null> => {
      const raw = await loadEntry(entry, folder, problems);
      return raw ? buildItem(entry, raw, { folder, site, side, problems, links, has }) : null;
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

  /** The whole JSON of each file; such files are small compared with the objects. */
  async function* wholes(names: readonly string[]): AsyncGenerator<{ name: string; value: unknown }> {
    for (const name of names) {
      const value = await folder.json(name);
      if (value !== undefined) yield { name, value };
    }
  }

  async function* elements(names: readonly string[]): AsyncGenerator<{ name: string; value: unknown }> {
    for (const name of names)
      for await (const { value } of streamJsonList(folder, name, problems)) yield { name, value };
  }

  async function hasConversations(): Promise<boolean> {
    for await (const _ of allConversations()) return true;
    return false;
  }

  /** The parts of which the export has a file, also an empty one, or an entry. */
  async function parts(): Promise<Set<ExportedPart>> {
    const { positions, localRoles, localPermissions, defaultPages, constrains } = await sideData();
    const { principals: people, redirects, translations, relations } = files;
    const sizes: [ExportedPart, number][] = [
      ['positions', positions.size],
      ['localRoles', localRoles.size],
      ['localPermissions', localPermissions.size],
      ['defaultPages', defaultPages.size],
      ['constrains', constrains.size],
      ['principals', people.length],
      ['redirects', redirects.length],
      ['translations', translations.length],
      ['relations', relations.length],
      ['comments', (await hasConversations()) ? 1 : 0],
    ];
    return new Set([...(await layout.present()), ...sizes.flatMap(([name, size]) => (size > 0 ? [name] : []))]);
  }

  return {
    format,
    parts,
    async positions() {
      const { positions } = await sideData();
      return ({ uid, path }) => lookUp(positions, uid, path) ?? null;
    },
    count: async () => (await index()).entries.length,
    addresses: async () => (await index()).entries,
    items,
    async *users() {
      for await (const { name, value } of principals(wholes(files.principals), problems))
        yield* parseUsers(value, name, { folder, problems });
    },
    async *groups() {
      for await (const { name, value } of principals(wholes(files.principals), problems))
        yield* parseGroups(value, name, problems);
    },
    async *redirects() {
      const { site } = await index();
      for await (const { name, value } of wholes(files.redirects)) yield* parseRedirects(value, site, name, problems);
    },
    async *translations() {
      for await (const { name, value } of elements(files.translations)) {
        const group = parseTranslationGroup(value, name, problems);
        if (group) yield group;
      }
    },
    async *relations() {
      for await (const { name, value } of elements(files.relations)) {
        const relation = parseRelation(value, name, problems);
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
  };
}

/** The files with members or groups; other files are reported. */
async function* principals(
  files: AsyncIterable<{ name: string; value: unknown }>,
  problems: ProblemLog,
): AsyncGenerator<{ name: string; value: JsonObject }> {
  for await (const { name, value } of files) {
    if (isJsonObject(value)) yield { name, value };
    else problems.add({ reason: 'unreadable', file: name, message: 'The file does not hold members and groups.' });
  }
}

function* filtered<T>(values: Iterable<T>, wanted: (value: T) => boolean): Generator<T> {
  for (const value of values) if (wanted(value)) yield value;
}
