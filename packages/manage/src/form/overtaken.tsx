import { say } from '../lib/say.ts';
import { Notice } from '../parts/notice.tsx';
import type { FormSchema } from './schema.ts';

/** Says which fields of a form somebody else has changed while they were written. */
export const Overtaken = ({ schema, names }: { schema: FormSchema; names: readonly string[] }) =>
  names.length > 0 && (
    <Notice kind="info">
      {say('Somebody else has changed this meanwhile, and saving replaces it: {fields}', {
        fields: names.map((name) => schema.properties[name]?.title || name).join(', '),
      })}
    </Notice>
  );
