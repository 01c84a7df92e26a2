import type { Summary } from '@canopy-server/client';
import { useState } from 'react';
import { useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { pathOf, site } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import type { InputProps } from './inputs.tsx';
import { kindOf } from './schema.ts';

const MAX_FOUND = 8;

const isSummary = (value: unknown): value is Summary =>
  typeof value === 'object' && value !== null && '@id' in value && typeof value['@id'] === 'string';

/** Content that a field refers to: it is found by its words. */
export default function ContentInput({ id, field, value, onChange }: InputProps) {
  const isList = kindOf(field) === 'objects';
  const [words, setWords] = useState('');
  const chosen: unknown[] = isList
    ? Array.isArray(value)
      ? value
      : []
    : value === null || value === undefined
      ? []
      : [value];
  const found = useData(`find ${words}`, async (signal) =>
    words.trim() === ''
      ? []
      : (
          await site()
            .search({ SearchableText: `${words.trim()}*` }, { size: MAX_FOUND, columns: 'UID', signal })
            .first()
        ).items,
  );
  const give = (next: readonly unknown[]): void => onChange(isList ? next : (next[0] ?? null));
  const choose = (item: Summary): void => {
    give(isList ? [...chosen, item] : [item]);
    setWords('');
  };
  return (
    <div className="content-input" id={id}>
      {chosen.length > 0 && (
        <ul className="chosen">
          {chosen.map((one, index) => {
            const name = isSummary(one) ? one.title || pathOf(one['@id']) : String(one);
            return (
              <li key={isSummary(one) ? one['@id'] : String(one)}>
                <span>
                  {name} {isSummary(one) && <span className="soft">{pathOf(one['@id'])}</span>}
                </span>
                <Button
                  kind="quiet"
                  label={say('Remove {name}', { name })}
                  onPress={() => give(chosen.filter((_, i) => i !== index))}
                >
                  ×
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <input
        type="search"
        value={words}
        placeholder={say('Search for content')}
        aria-label={say('Search for content')}
        onChange={({ target }) => setWords(target.value)}
      />
      {words !== '' && (
        <ul className="found">
          {(found.data ?? []).map((item) => (
            <li key={item['@id']}>
              <button type="button" onClick={() => choose(item)}>
                {item.title} <span className="soft">{pathOf(item['@id'])}</span>
              </button>
            </li>
          ))}
          {found.data?.length === 0 && !found.isLoading && <li className="soft">{say('Nothing was found.')}</li>}
        </ul>
      )}
    </div>
  );
}
