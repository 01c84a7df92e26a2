import { singleText } from '../../../database/single-text.ts';
import { MAX_LIST_BYTES, type StoredList } from '../warm-up/asked-list.ts';

/** The list of the addresses that visitors ask for most. */
export const ASKED_LIST = singleText<StoredList>({
  ...{ table: 'asked_addresses', text: 'list', stored: 'written' },
  columns: `case when octet_length(list) <= ${MAX_LIST_BYTES} then list end as list,
    (extract(epoch from now() - written) * 1000)::float8 as "ageMs"`,
});
