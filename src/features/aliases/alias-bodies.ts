import { Type } from 'typebox';
import { documented } from '../../services/openapi/documented.ts';

const Path = Type.String({ description: 'The path, beginning with a slash; it may have a query string.' });
const Created = Type.Optional(Type.String({ description: 'When it was made: now unless given.' }));

/** The body of POST `@aliases` on content. */
export const ContentAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(
        Type.Union([Path, Type.Array(Type.Union([Path, Type.Object({ path: Path, datetime: Created })]))], {
          description: 'Aliases that lead here.',
        }),
        { required: true },
      ),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news' }] }] },
);

/** The body of POST `@aliases` on the site: `items`, or in a form the file. */
export const SiteAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(
        Type.Array(
          Type.Object({
            path: Path,
            'redirect-to': Type.String({ description: 'Path of content, or an http or https address.' }),
            datetime: Created,
          }),
        ),
      ),
    ),
    file: Type.Optional(
      documented(
        Type.String({
          description: 'As a part of multipart/form-data: CSV with old path, new path, datetime, manual.',
        }),
      ),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news', 'redirect-to': '/news' }] }] },
);

/** The body of DELETE `@aliases`. */
export const RemoveAliasesBody = Type.Object(
  {
    items: Type.Optional(
      documented(Type.Array(Type.Union([Path, Type.Object({ path: Path })]), { description: 'Aliases to remove.' }), {
        required: true,
      }),
    ),
  },
  { additionalProperties: true, examples: [{ items: [{ path: '/old-news' }] }] },
);

/** What is answered when some of the items could not be done. */
export const Failed = Type.Object({
  type: Type.Literal('error'),
  failed: Type.Array(Type.String({ description: 'The path, as it was sent.' })),
});
