import type { ContentType } from '../../types/content-type.ts';

/** Interfaces that content of all types provides in Plone. */
const EVERY = new Set([
  'plone.dexterity.interfaces.IDexterityContent',
  'plone.uuid.interfaces.IAttributeUUID',
  'plone.uuid.interfaces.IUUIDAware',
  'Products.CMFCore.interfaces._content.IContentish',
]);

/** Interfaces of containers and of all other content. */
const CONTAINER = new Set([
  'plone.dexterity.interfaces.IDexterityContainer',
  'Products.CMFCore.interfaces._content.IFolderish',
  'plone.folder.interfaces.IFolder',
]);
const ITEM = 'plone.dexterity.interfaces.IDexterityItem';

/** The interfaces of types (plone.app.contenttypes, plone.volto), by a name that the type has in Plone. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  'Plone Site': [
    'plone.base.interfaces.siteroot.IPloneSiteRoot',
    'Products.CMFPlone.interfaces.siteroot.IPloneSiteRoot',
    'Products.CMFPlone.interfaces.IPloneSiteRoot',
  ],
  Collection: ['plone.app.contenttypes.interfaces.ICollection'],
  Document: ['plone.app.contenttypes.interfaces.IDocument', 'plone.volto.interfaces.IFolderishDocument'],
  Event: [
    'plone.app.contenttypes.interfaces.IEvent',
    'plone.event.interfaces.IEvent',
    'plone.volto.interfaces.IFolderishEvent',
  ],
  File: ['plone.app.contenttypes.interfaces.IFile'],
  Folder: ['plone.app.contenttypes.interfaces.IFolder'],
  Image: ['plone.app.contenttypes.interfaces.IImage'],
  LRF: ['plone.app.multilingual.interfaces.ILanguageRootFolder'],
  Link: ['plone.app.contenttypes.interfaces.ILink'],
  'News Item': ['plone.app.contenttypes.interfaces.INewsItem', 'plone.volto.interfaces.IFolderishNewsItem'],
};

/** Interfaces of behaviors in Plone, by the names of the behaviors in Plone. */
const BEHAVIORS: Readonly<Record<string, readonly string[]>> = {
  'plone.navigationroot': [
    'plone.base.interfaces.siteroot.INavigationRoot',
    'plone.app.layout.navigation.interfaces.INavigationRoot',
  ],
  'plone.leadimage': ['plone.app.contenttypes.behaviors.leadimage.ILeadImage'],
  'plone.collection': ['plone.app.contenttypes.behaviors.collection.ISyndicatableCollection'],
  'plone.translatable': ['plone.app.multilingual.interfaces.ITranslatable'],
  'volto.blocks': ['plone.restapi.behaviors.IBlocks'],
};

/**
 * Says if content of a type provides the name of a search: a behavior by one of its names, or one of the interfaces that clients of
 * Plone use for content (index `object_provides`).
 */
export function isProvided({ id, aliases = [], behaviorNames, folderish }: ContentType, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (behaviorNames.has(value) || EVERY.has(value)) return true;
  if (folderish ? CONTAINER.has(value) : value === ITEM) return true;
  const known = [
    ...[id, ...aliases].flatMap((name) => TYPES[name] ?? []),
    ...[...behaviorNames].flatMap((name) => BEHAVIORS[name] ?? []),
  ];
  return known.includes(value);
}
