import type { Service } from '../../../services/service.ts';
import { getIcsView } from './get-ics-view.ts';

export const icsViewServices: Service[] = [getIcsView];
