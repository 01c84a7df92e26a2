import { type ReactNode, useEffect } from 'react';

type PageProps = { title: string; lead?: ReactNode; actions?: ReactNode; above?: ReactNode; children: ReactNode };

/** A page with its heading, which is also the title of the window. */
export function Page({ title, lead, actions, above, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Canopy`;
  }, [title]);
  return (
    <div className="page">
      {above}
      <div className="heading">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <div className="lead">{lead}</div>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export const Badge = ({ kind = 'plain', children }: { kind?: string; children: ReactNode }) => (
  <span className={`badge ${kind}`}>{children}</span>
);

export const Panel = ({ title, children }: { title?: string; children: ReactNode }) => (
  <section className="panel">
    {title !== undefined && <h2>{title}</h2>}
    {children}
  </section>
);

/** Names and values in two columns. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
