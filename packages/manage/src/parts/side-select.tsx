import { say } from '../lib/say.ts';
import { Select } from './select.tsx';

/** The member of a request for a chosen side. */
export const onConflict = (side: string): { on_conflict?: string } => (side === '' ? {} : { on_conflict: side });

/** A choice of the side that counts; `mine` is the name of the own side. */
export function SideSelect({
  mine,
  value,
  onChange,
}: {
  mine: string;
  value: string;
  onChange: (side: string) => void;
}) {
  return (
    <Select
      label={say('Others have changed the same. It counts')}
      value={value}
      options={[
        ['', say('No value')],
        ['mine', mine],
        ['theirs', say('the others')],
      ]}
      onChange={onChange}
    />
  );
}
