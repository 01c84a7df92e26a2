import type { Queryable } from '../database.ts';

/** One reference of an object: relation fields under their own name, links in text and blocks as `isReferencing`. */
export type Reference = { relation: string; target: string };

/** Replaces the references of an object by the given ones, in their order. One statement. */
export async function replaceReferences(db: Queryable, source: number, references: Reference[]): Promise<void> {
  await db.query({
    name: 'replace-references',
    text: `with gone as (delete from reference where source = $1 and position > $2)
      insert into reference (source, relation, position, target)
      select $1, relation, number, target from unnest($3::text[], $4::text[]) with ordinality n(relation, target, number)
      on conflict (source, position) do update set relation = excluded.relation, target = excluded.target`,
    values: [
      source,
      references.length,
      references.map(({ relation }) => relation),
      references.map(({ target }) => target),
    ],
  });
}
