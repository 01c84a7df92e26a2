// Names of the permissions that the server itself checks, in Plone's spelling.

/** To see content. */
export const VIEW = 'View';
/** To add content to a container. */
export const ADD = 'Add portal content';
/** To change content. */
export const MODIFY = 'Modify portal content';
/** To remove content. */
export const DELETE = 'Delete objects';
/** To read former versions and the names of their authors (Products.CMFEditions). */
export const ACCESS_VERSIONS = 'CMFEditions: Access previous versions';
export const USE_API = 'cms.restapi: Use REST API';
/** To manage the whole site: the permission of Managers. */
export const MANAGE_PORTAL = 'cmf.ManagePortal';
export const REVIEW = 'Review portal content';
export const DELEGATE_ROLES = 'Sharing page: Delegate roles';
export const ACCESS_INACTIVE = 'Access inactive portal content';
/** To hand in a proposal: a list of writes that another user approves. */
export const PROPOSE = 'canopy: Propose changes';
export const MANAGE_USERS = 'Manage users';
export const USE_MAIL_HOST = 'Use mailhost services';
