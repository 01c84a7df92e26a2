import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

type DialogProps = { title: string; isOpen: boolean; onClose: () => void; children: ReactNode };

/** A window above the page that holds the focus until it is closed. */
export const Dialog = ({ title, isOpen, onClose, children }: DialogProps) => (
  <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
    <Modal className="modal">
      <AriaDialog className="dialog">
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);
