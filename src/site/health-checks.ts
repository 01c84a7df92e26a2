import type { Kernel } from './kernel.ts';

/** What a check says, from good to bad; a failure takes the process out of service (draft-inadarei-api-health-check). */
export type HealthStatus = 'pass' | 'warn' | 'fail';

/** What one check has seen. Everybody may read it but for `output`: no paths, names or versions elsewhere. */
export type Observation = {
  status: HealthStatus;
  observedValue?: number | string;
  observedUnit?: string;
  /** What is wrong, for managers. */
  output?: string;
};

/** A check of something that the site needs. */
export type HealthCheck = {
  /** Its key in the response, in the form `component:measurement` such as `jobs:waiting`. */
  name: string;
  componentType: 'component' | 'datastore' | 'system';
  /** Milliseconds for which an observation is kept, 2,000 unless given: whoever asks, it is made no more often. */
  keep?: number;
  /** Looks. What it throws, and no answer in time, is a failure. */
  observe(kernel: Kernel): Promise<Observation>;
};
