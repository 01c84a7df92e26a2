import { defineFeature } from '../../services/feature.ts';
import { purgeRecyclebin } from './purge-recyclebin-job.ts';
import { subscribeRecycleBin } from './recycle-subscribers.ts';
import { recyclebinPanel } from './recyclebin-panel.ts';
import { recyclebinServices } from './services.ts';

/** Deleted content that can be restored (`@recyclebin`). */
export const recycleBinFeature = defineFeature({
  name: 'recycle-bin',
  services: recyclebinServices,
  panels: [recyclebinPanel],
  jobActions: [purgeRecyclebin],
  subscribe: subscribeRecycleBin,
});
