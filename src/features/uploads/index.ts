import { defineFeature } from '#core';
import { deleteUploadService, getUpload, patchUpload, postOverriding, postReplace, postUpload } from './endpoints.ts';
import { removeUploads, startRemoving } from './remove-uploads.ts';

/** Resumable uploads of files (`@tus-upload`, `@tus-replace`). */
export const uploadsFeature = defineFeature({
  name: 'uploads',
  services: [postUpload, postReplace, patchUpload, postOverriding, getUpload, deleteUploadService],
  jobActions: [removeUploads],
  tables: [
    {
      name: 'upload',
      changes: { unread: 'uploads are never kept' },
      left: 'what is being uploaded goes on at the old site',
      local: true,
    },
    {
      name: 'upload_part',
      changes: { unread: 'uploads are never kept' },
      left: 'it belongs to the uploads',
      local: true,
    },
  ],
  start: startRemoving,
});
