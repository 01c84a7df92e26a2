import { say } from '../lib/say.ts';

export type TableRole = { id: string; title: string };
type Row = {
  id: string;
  title: string;
  roles: readonly string[];
  /** The roles that count without a change; a cell that differs is marked. */
  before: readonly string[];
};

type RoleTableProps = {
  caption: string;
  roles: readonly TableRole[];
  rows: readonly Row[];
  onChange: (row: string, roles: readonly string[]) => void;
};

/** Permissions and the roles that have them: a box for each pair. */
export const RoleTable = ({ caption, roles, rows, onChange }: RoleTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the window is moved with the keyboard
  <section className="table-box matrix" tabIndex={0} aria-label={caption}>
    <table>
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{say('Permission')}</th>
          {roles.map(({ id, title }) => (
            <th key={id} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.title}</th>
            {roles.map(({ id, title }) => {
              const has = row.roles.includes(id);
              return (
                <td key={id} className={has === row.before.includes(id) ? undefined : 'changed'}>
                  <input
                    type="checkbox"
                    checked={has}
                    aria-label={`${row.title}: ${title}`}
                    onChange={() => onChange(row.id, has ? row.roles.filter((one) => one !== id) : [...row.roles, id])}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
