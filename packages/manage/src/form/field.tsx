import type { ReactNode } from 'react';
import { say } from '../lib/say.ts';

type FieldProps = {
  id: string;
  title: string;
  help?: string | undefined;
  problem?: string | undefined;
  isRequired?: boolean;
  /** A group of inputs with a title of its own, such as a list of boxes. */
  isGroup?: boolean;
  /** A box that stands before its title. */
  isToggle?: boolean;
  children: ReactNode;
};

const helpId = (id: string): string => `${id}-help`;
const problemId = (id: string): string => `${id}-problem`;

/** The attributes that tie an input to its help and to what is wrong with it. */
export const describedBy = (
  id: string,
  { help, problem }: { help?: string | undefined; problem?: string | undefined },
) => ({
  id,
  'aria-describedby': [help ? helpId(id) : '', problem ? problemId(id) : ''].filter(Boolean).join(' ') || undefined,
  'aria-invalid': problem ? true : undefined,
});

/** A field of a form: its title, its input, help and what is wrong. */
export function Field({
  id,
  title,
  help,
  problem,
  isRequired = false,
  isGroup = false,
  isToggle = false,
  children,
}: FieldProps) {
  const name = (
    <>
      {title}
      {isRequired && <span className="required"> {say('(required)')}</span>}
    </>
  );
  const below = (
    <>
      {help && (
        <p className="help" id={helpId(id)}>
          {help}
        </p>
      )}
      {problem && (
        <p className="problem" id={problemId(id)}>
          {problem}
        </p>
      )}
    </>
  );
  if (isGroup)
    return (
      <fieldset className={problem ? 'field has-problem' : 'field'}>
        <legend>{name}</legend>
        {children}
        {below}
      </fieldset>
    );
  return (
    <div className={`field${problem ? ' has-problem' : ''}${isToggle ? ' toggle' : ''}`}>
      <label htmlFor={id}>{name}</label>
      {children}
      {below}
    </div>
  );
}
