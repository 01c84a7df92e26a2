import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';

type OneFieldProps = {
  label: string;
  button: string;
  /** Gets the text without spaces around it. The field is as at first again after true. */
  onSend: (text: string) => boolean | Promise<boolean>;
  isBusy?: boolean;
  initial?: string;
  isValid?: (text: string) => boolean;
  /** Further inputs between the field and the button. */
  children?: ReactNode;
};

/** The form below a list that adds something to it. */
export function OneField({ label, button, onSend, isBusy = false, initial = '', isValid, children }: OneFieldProps) {
  const [typed, setTyped] = useState(initial);
  const text = typed.trim();
  const isReady = !isBusy && text !== '' && (isValid?.(text) ?? true);
  return (
    <form
      className="tools"
      onSubmit={async (event) => {
        event.preventDefault();
        if (isReady && (await onSend(text))) setTyped(initial);
      }}
    >
      <label className="filter grow">
        <span>{label}</span>
        <input value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      {children}
      <Button type="submit" isDisabled={!isReady}>
        {button}
      </Button>
    </form>
  );
}
