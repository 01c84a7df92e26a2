import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';

type ButtonProps = {
  children: ReactNode;
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  type?: 'button' | 'submit';
  onPress?: () => void;
  isDisabled?: boolean;
  /** The name for screen readers of a button that shows an icon alone. */
  label?: string;
};

export const Button = ({ children, kind = 'plain', type = 'button', onPress, isDisabled, label }: ButtonProps) => (
  <AriaButton className={`button ${kind}`} type={type} onPress={onPress} isDisabled={isDisabled} aria-label={label}>
    {children}
  </AriaButton>
);
