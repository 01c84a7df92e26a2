import type { Queryable } from '#core';

/** The languages of what an import of `source` has created, and those of its folders for languages: of `types`, in the site root. */
export async function importedLanguages(
  db: Queryable,
  source: string,
  types: readonly string[],
): Promise<{ languages: string[]; roots: string[] }> {
  const rows = await db.query<{ language: string; root: boolean }>({
    name: 'imported-languages',
    text: `select c.language, bool_or(c.type = any($2) and c.path = '/' || c.language) as root
      from import_progress p join content c on c.oid = p.content
      where p.source = $1 and left(p.uid, 1) <> '#' and c.language <> '' group by c.language order by c.language`,
    values: [source, types],
  });
  return {
    languages: rows.map(({ language }) => language),
    roots: rows.flatMap(({ language, root }) => (root ? [language] : [])),
  };
}
