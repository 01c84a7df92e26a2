import type { Service } from '../../../services/service.ts';
import { getControlpanel } from './get-controlpanel.ts';
import { getControlpanels } from './get-controlpanels.ts';
import { patchControlpanel } from './patch-controlpanel.ts';

/** Panels that are more than settings have services of their own for `@controlpanels/<id>`, which go before these. */
export const controlpanelsServices: Service[] = [getControlpanels, getControlpanel, patchControlpanel];
