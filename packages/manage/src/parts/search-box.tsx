import { say } from '../lib/say.ts';

/** The input above a list that searches it while somebody writes. */
export const SearchBox = ({
  value,
  label,
  onChange,
}: {
  value: string;
  label?: string;
  onChange: (words: string) => void;
}) => (
  <div className="tools">
    <label className="filter grow">
      <span>{label ?? say('Search')}</span>
      <input type="search" value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  </div>
);
