/** The stored configuration of the site, piece by piece: lock it, load it, write it in the same transaction. */
export { buildSite as build } from '../configuration/site/build-site.ts';
export { KINDS } from '../configuration/site/site.ts';
export {
  type ConfigurationRow as Row,
  loadConfiguration as load,
  lockConfiguration as lock,
  raiseConfigurationVersion as raiseVersion,
  removeConfiguration as remove,
  writeConfiguration as write,
} from '../configuration/statements/configuration.ts';
export { lockSetup } from '../people/statements/accounts.ts';
