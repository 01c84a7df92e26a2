type SelectProps = {
  label: string;
  value: string;
  /** The values with what the reader sees of them. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
};

/** A choice with its label above it, as lists and dialogs have them. */
export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <label className="filter">
    <span>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
