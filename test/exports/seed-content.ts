import type { TestSite } from '../support/site.ts';

/**
 * Adds many objects to a container without requests: named `<type>-<number>` in lower case, visible to everybody,
 * events half an hour apart.
 */
export async function seedContent(
  site: Pick<TestSite, 'kernel'>,
  container: string,
  type: 'Page' | 'Document' | 'Event',
  count: number,
): Promise<void> {
  await site.kernel.db.transaction(async (tx) => {
    const named = `${type.toLowerCase()}-`;
    await tx.query({
      text: `insert into content (uid, parent, name, path, type, owner, language, created, modified, review_state, fields)
        select md5($1 || '/' || $2 || n), p.oid, $2 || n, $1 || '/' || $2 || n, $3, 'admin', 'en', now(), now(), 'published',
          jsonb_build_object('title', $3 || ' ' || n, 'start', to_char(timestamp '2026-01-01' + n * interval '30 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        from generate_series(1, $4::int) n, content p where p.path = $1`,
      values: [container, named, type, count],
    });
    await tx.query({
      text: `insert into catalog (oid, allowed) select oid, '{role:Anonymous}' from content where path > $1 || '/' || $2 and path < $1 || '/' || $2 || 'z'`,
      values: [container, named],
    });
  });
}
