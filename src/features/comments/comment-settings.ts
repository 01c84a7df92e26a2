import { panelValues } from '../../site/panel.ts';
import type { Site } from '../../site/site.ts';
import { discussionPanel } from './discussion-panel.ts';

/** The rules of the site for comments: the panel `discussion`. */
export type CommentSettings = {
  /** Who is not logged in may comment. */
  anonymous: boolean;
  /** New comments wait for a review. */
  moderated: boolean;
  editable: boolean;
  /** Authors may delete their own comments. */
  ownDeletable: boolean;
  /** Media type of new comments. */
  textType: string;
  showsPortraits: boolean;
  /** Who gets a mail for each new comment; empty for the address that mails of the site come from. */
  moderator: { notified: boolean; address: string };
};

/** The rules of a site, with the defaults of the panel. */
export function commentSettings(site: Site): CommentSettings {
  const values = panelValues(discussionPanel, site);
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name] : '');
  return {
    anonymous: values.anonymous_comments === true,
    moderated: values.moderation_enabled === true,
    editable: values.edit_comment_enabled === true,
    ownDeletable: values.delete_own_comment_enabled === true,
    textType: text('text_transform'),
    showsPortraits: values.show_commenter_image === true,
    moderator: { notified: values.moderator_notification_enabled === true, address: text('moderator_email') },
  };
}
