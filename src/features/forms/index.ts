import { defineFeature } from '#core';
import { CAPTCHA_PROVIDERS, CaptchaProviders, captchaVocabulary, honeypot } from './captcha.ts';
import { postEmailAddress, postEmailToken } from './code-endpoints.ts';
import { subscribeToCopies } from './copies.ts';
import { deleteFormData, deleteFormRecord, getFormData, getFormExport, getFormFile } from './data-endpoints.ts';
import { codeMails } from './email-codes.ts';
import { formPanel } from './panel.ts';
import { wipeFormData } from './retention.ts';
import { formBlocks } from './serve-form.ts';
import { postSchemaformData, postSubmitForm } from './submit-endpoints.ts';

/** Forms in blocks: submissions of visitors, their mails and their retention. */
export const formsFeature = defineFeature({
  name: 'forms',
  services: [
    postSchemaformData,
    postSubmitForm,
    postEmailAddress,
    postEmailToken,
    getFormData,
    getFormFile,
    deleteFormRecord,
    deleteFormData,
    getFormExport,
  ],
  panels: [formPanel],
  tables: [
    {
      name: 'form_submission',
      changes: { unread: 'submissions are never kept' },
      key: ['id'],
      content: 'content',
      numbered: ['id'],
    },
    {
      name: 'email_code',
      changes: { unread: 'codes are in no response' },
      left: 'codes that were mailed count for some minutes',
    },
  ],
  vocabularies: [captchaVocabulary],
  blocks: [formBlocks],
  jobActions: [wipeFormData],
  mails: codeMails,
  subscribe(kernel) {
    const providers = new CaptchaProviders();
    providers.register(honeypot);
    kernel.slots.set(CAPTCHA_PROVIDERS, providers);
    subscribeToCopies(kernel);
  },
});
