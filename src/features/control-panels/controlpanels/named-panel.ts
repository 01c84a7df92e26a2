import { NotFound } from '../../../lib/errors.ts';
import type { RequestContext } from '../../../services/service.ts';
import type { Panel } from '../../../site/panel.ts';

/** The panel that the address names. Throws NotFound for none. */
export function namedPanel({ kernel, rest: [id = ''] }: Pick<RequestContext, 'kernel' | 'rest'>): Panel {
  const panel = kernel.panels.get(id);
  if (!panel) throw new NotFound(`/@controlpanels/${id}`);
  return panel;
}
