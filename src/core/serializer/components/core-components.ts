import type { Component } from '../components.ts';
import { actions } from './actions.ts';
import { breadcrumbs, inherit, navroot } from './ancestors.ts';
import { catalog } from './catalog.ts';
import { contextnavigation } from './context-navigation.ts';
import { navigation } from './navigation.ts';
import { types } from './types.ts';
import { workflow } from './workflow.ts';

/** The components of the core. */
export const coreComponents: Component[] = [
  actions,
  breadcrumbs,
  catalog,
  contextnavigation,
  inherit,
  navigation,
  navroot,
  types,
  workflow,
];
