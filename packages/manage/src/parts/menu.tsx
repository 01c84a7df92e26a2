import type { ReactNode } from 'react';
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from './icon.tsx';

type MenuEntry = { id: string; title: string };

type MenuProps = {
  label: ReactNode;
  kind?: 'plain' | 'primary';
  entries: readonly MenuEntry[];
  onChoose: (id: string) => void;
};

/** A button that opens a list of things to do. */
export const Menu = ({ label, kind = 'plain', entries, onChoose }: MenuProps) => (
  <MenuTrigger>
    <Button className={`button ${kind}`}>
      {label}
      <Icon name="down" />
    </Button>
    <Popover className="popover">
      <AriaMenu className="menu" items={entries} onAction={(key) => onChoose(String(key))}>
        {({ id, title }) => (
          <MenuItem id={id} className="menu-item" textValue={title}>
            {title}
          </MenuItem>
        )}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);
