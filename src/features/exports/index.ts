import { defineFeature } from '../../services/feature.ts';
import { exportServices } from './endpoints.ts';

/** Content in other forms: JSON for export, Markdown, RSS, iCalendar. */
export const exportsFeature = defineFeature({ name: 'exports', services: exportServices });
