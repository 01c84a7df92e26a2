import type { Service } from '../../../services/service.ts';
import { getRssView } from './get-rss-view.ts';

export const rssViewServices: Service[] = [getRssView];
