import { createRegistries } from '../../src/app/create-kernel.ts';
import { FEATURES } from '../../src/app/features.ts';

/** The registries of the program's features, for tests that build a site without a database. */
export const registries = createRegistries(FEATURES);

/** All services of the program. */
export const services = FEATURES.flatMap((feature) => feature.services ?? []);

/** All components of the program, in the order in which representations list them. */
export const components = FEATURES.flatMap((feature) => feature.components ?? []).sort((a, b) =>
  a.name < b.name ? -1 : 1,
);
