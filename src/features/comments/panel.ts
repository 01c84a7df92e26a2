import {
  type controlPanels,
  definePanel,
  mailing,
  panelSettings,
  type Site,
  type SiteVocabulary,
  settings,
} from '#core';

const record = (name: string): string => `plone.app.discussion.interfaces.IDiscussionSettings.${name}`;

/** Media types of comments. */
const TEXT_FORMS: controlPanels.Choices = [
  ['text/plain', 'Plain text'],
  ['text/x-web-markdown', 'Markdown'],
  ['text/html', 'HTML'],
];

/** Comments have no captcha. */
const CAPTCHAS: controlPanels.Choices = [['disabled', 'Disabled']];

const vocabulary = (name: string, choices: controlPanels.Choices): SiteVocabulary => ({
  names: [`plone.app.discussion.vocabularies.${name}`],
  terms: ({ registries }, language) =>
    choices.map(([token, title]) => ({ token, title: registries.messages.translate(title, language) })),
});

/** The choices of the panel as vocabularies. */
export const commentVocabularies: readonly SiteVocabulary[] = [
  vocabulary('TextTransformVocabulary', TEXT_FORMS),
  vocabulary('CaptchaVocabulary', CAPTCHAS),
];

/** Comments on content. */
export const discussionPanel = definePanel({
  id: 'discussion',
  title: 'Discussion',
  group: 'Content',
  settings: [
    settings.flag('globally_enabled', {
      title: 'Allow comments',
      description: 'On content that does not say itself whether it may be commented on.',
      default: false,
      record: record('globally_enabled'),
    }),
    settings.flag('anonymous_comments', {
      title: 'Visitors may comment',
      description: 'Without logging in. The number of their comments in an hour is limited.',
      default: false,
      record: record('anonymous_comments'),
    }),
    settings.flag('moderation_enabled', {
      title: 'Review comments',
      description: 'New comments are hidden until somebody publishes them who may review comments.',
      default: false,
      record: record('moderation_enabled'),
    }),
    settings.flag('edit_comment_enabled', {
      title: 'Comments can be changed',
      description: 'By their authors and by who may edit comments.',
      default: true,
      record: record('edit_comment_enabled'),
    }),
    settings.flag('delete_own_comment_enabled', {
      title: 'Authors may delete their comments',
      description: 'As long as nobody has replied.',
      default: true,
      record: record('delete_own_comment_enabled'),
    }),
    settings.choice('text_transform', {
      title: 'Text of comments',
      description: 'What new comments are written in. HTML is cleaned; Markdown is served as it was written.',
      default: 'text/plain',
      record: record('text_transform'),
      choices: () => TEXT_FORMS,
    }),
    settings.flag('show_commenter_image', {
      title: 'Show pictures of authors',
      description: 'Their portraits, beside their comments.',
      default: true,
      record: record('show_commenter_image'),
    }),
    settings.flag('moderator_notification_enabled', {
      title: 'Mail to the moderator',
      description: 'For each new comment. Needs a mail server.',
      default: false,
      record: record('moderator_notification_enabled'),
    }),
    settings.line('moderator_email', {
      title: 'Address of the moderator',
      description: 'Empty: the address that mails of the site come from.',
      default: '',
      record: record('moderator_email'),
      problem: (address) => (mailing.isAddress(address) ? undefined : 'Is not an e-mail address.'),
    }),
  ],
});

/** Settings of the panel `discussion`. */
export type CommentSettings = {
  /** Visitors may comment without logging in. */
  anonymous: boolean;
  /** New comments are pending until somebody publishes them. */
  moderated: boolean;
  /** Comments can be changed after they were added. */
  editable: boolean;
  /** Authors may delete their own comments. */
  ownDeletable: boolean;
  /** Media type of new comments. */
  textType: string;
  showsPortraits: boolean;
  /** Recipient of a mail for each new comment; an empty address stands for the sender of the site's mails. */
  moderator: { notified: boolean; address: string };
};

/** The settings of a site for comments, with the defaults of the panel. */
export function commentSettings(site: Site): CommentSettings {
  const values = panelSettings(site, discussionPanel);
  return {
    anonymous: values.anonymous_comments,
    moderated: values.moderation_enabled,
    editable: values.edit_comment_enabled,
    ownDeletable: values.delete_own_comment_enabled,
    textType: values.text_transform,
    showsPortraits: values.show_commenter_image,
    moderator: { notified: values.moderator_notification_enabled, address: values.moderator_email },
  };
}
