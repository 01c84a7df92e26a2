import { NotFound } from '../../lib/errors.ts';
import type { Panel } from '../../site/panel.ts';
import type { Call } from '../service.ts';

/** The panel that the address names. Throws NotFound for none. */
export function namedPanel({ kernel, rest: [id = ''] }: Pick<Call, 'kernel' | 'rest'>): Panel {
  const panel = kernel.panels.get(id);
  if (!panel) throw new NotFound(`/@controlpanels/${id}`);
  return panel;
}
