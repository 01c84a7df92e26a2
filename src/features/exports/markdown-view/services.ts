import type { Service } from '../../../services/service.ts';
import { getMarkdownView } from './get-markdown-view.ts';

export const markdownViewServices: Service[] = [getMarkdownView];
