import type { ProfileFilter } from '../statements/people-profiles.ts';
import { textParameter } from './people-page.ts';

/** Which users the query asks for: by id, by any text, by groups. */
export function readUserFilter(query: URLSearchParams): Pick<ProfileFilter, 'query' | 'search' | 'groups'> {
  const groups = [...query.getAll('groups-filter'), ...query.getAll('groups-filter:list')].filter((id) => id !== '');
  return {
    query: textParameter(query, 'query'),
    search: textParameter(query, 'search'),
    groups: groups.length === 0 ? undefined : groups,
  };
}
