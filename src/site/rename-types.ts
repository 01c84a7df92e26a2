import { isJsonObject } from '../lib/json-object.ts';
import type { ConfigurationRow } from '../storage/statements/configuration.ts';
import type { TypeDefinition } from '../types/definition.ts';
import { KINDS } from './site.ts';

/** Renames types in the rows of a profile, wherever it names them; the old name becomes an alias (docs/profiles.md). */
export function renameTypes(rows: ConfigurationRow[], rename: Record<string, string>): ConfigurationRow[] {
  if (Object.keys(rename).length === 0) return rows;
  const nameOf = (id: string): string => (Object.hasOwn(rename, id) ? (rename[id] ?? id) : id);
  return rows.map((row) => {
    if (row.kind === KINDS.type) {
      const type = row.data as TypeDefinition;
      const id = nameOf(type.id);
      const aliases = (type.aliases ?? []).filter((alias) => alias !== id);
      const data: TypeDefinition = {
        ...type,
        id,
        aliases: id === type.id ? aliases : [type.id, ...aliases],
        allowed_content_types: type.allowed_content_types.map(nameOf),
      };
      return { ...row, id, data };
    }
    if (row.kind !== KINDS.setting || !isJsonObject(row.data)) return row;
    const values = Object.entries(row.data).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? nameOf(item) : item)) : value,
    ]);
    return { ...row, data: Object.fromEntries(values) };
  });
}
