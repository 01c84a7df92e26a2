import { Type } from 'typebox';

/** The query of everything that is downloaded. */
export const DispositionQuery = Type.Object({
  disposition: Type.Optional(
    Type.String({ description: '`inline` shows the answer where that is safe; anything else leaves the attachment.' }),
  ),
});

/** Whether the client asks to show what it gets rather than to save it (specification, `disposition`). */
export const asksInline = (query: URLSearchParams): boolean => query.get('disposition') === 'inline';
