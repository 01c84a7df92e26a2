import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { CatalogColumn } from '../catalog/catalog-registry.ts';
import type { MessageSource } from '../i18n/messages.ts';
import { Slot } from '../lib/slots.ts';
import type { ActionCondition } from '../serializer/components/action-conditions.ts';
import type { Component } from '../serializer/components.ts';
import type { RepresentationPart } from '../serializer/object.ts';
import type { HealthCheck } from '../site/health-checks.ts';
import type { Hooks } from '../site/hooks.ts';
import type { JobAction } from '../site/job-actions.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Panel } from '../site/panel.ts';
import type { UpgradeStep } from '../site/upgrade-steps.ts';
import type { Vocabulary } from '../site/vocabulary.ts';
import type { FieldKind } from '../types/field-kind.ts';
import type { Service } from './service.ts';

/** Work of a serving process that goes on until it is closed. */
export type BackgroundWork = { close(): Promise<void> };

/**
 * Everything that one subject brings to the server. The kernel builds all its registries from a list of features: those of
 * the program (`app/features.ts`) and those of packages from outside. A name that another feature has taken stops the
 * start.
 */
export type Feature = {
  /** Its own name, by which messages speak of it. */
  name: string;
  /** Endpoints. */
  services?: readonly Service[];
  /** What can be embedded in the representation of content (`@components`). */
  components?: readonly Component[];
  /** Keys that every representation of content gets. */
  representation?: readonly RepresentationPart[];
  /** Conditions that actions of profiles can name. */
  actionConditions?: readonly ActionCondition[];
  /** Control panels with their settings. */
  panels?: readonly Panel[];
  vocabularies?: readonly Vocabulary[];
  /** Names that searches can use. */
  indexes?: readonly CatalogIndex[];
  /** Names that listings can show (`metadata_fields`). */
  columns?: readonly CatalogColumn[];
  /** Kinds of fields that types can use as `factory` or `widget`. */
  fieldKinds?: readonly FieldKind[];
  /** Work in the background that jobs can name. */
  jobActions?: readonly JobAction[];
  /** Checks in the response of `@health`. */
  healthChecks?: readonly HealthCheck[];
  /** Code that runs when the site is upgraded. */
  upgradeSteps?: readonly UpgradeStep[];
  /** Translations of its texts: `new URL('messages/', import.meta.url)` for a folder with a file `<language>.po` for each language. */
  messages?: MessageSource;
  /** Parts that it takes in writes of the core. */
  hooks?: Partial<Hooks>;
  /**
   * Runs once for each kernel, in the order of the features: subscribes to events, and fills slots with what the feature
   * keeps in memory.
   */
  subscribe?(kernel: Kernel): void;
  /** Begins work in the background of a process that serves the site. */
  start?(kernel: Kernel): Promise<BackgroundWork>;
};

/** The features of a kernel. */
export const KERNEL_FEATURES = new Slot<readonly Feature[]>('features');

/** Declares a feature. It does nothing but to check the declaration against its type. */
export const defineFeature = (feature: Feature): Feature => feature;
