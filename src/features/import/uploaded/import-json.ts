import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { schemas } from '#core';
import { JobBody, jobJson } from '../../jobs/job-json.ts';
import type { Job } from '../../jobs/statements/jobs.ts';
import { FILE_KINDS, type UploadedExport } from '../statements/uploaded.ts';
import { Report } from './report.ts';

const Moment = Type.String({ format: 'date-time' });

/** An uploaded export in responses. */
export const ImportBody = Type.Object({
  '@id': schemas.Address,
  id: Type.String({ format: 'uuid' }),
  filename: Type.String(),
  kind: Type.Enum([...FILE_KINDS]),
  bytes: Type.Integer({ description: 'The size of the file.' }),
  actor: Type.String({ description: 'Id of the user who has uploaded it.' }),
  created: Moment,
  stored: Type.Boolean({ description: 'True while its file is there; it goes once it is imported, and at `expires`.' }),
  expires: Moment,
  job: schemas.Nullable(JobBody, {
    description: 'The last job: null before the first one, and after jobs are pruned.',
  }),
  report: schemas.Nullable(Report, { description: 'Of the last job that came to its end.' }),
  lines: Type.String({ format: 'uri', description: 'Address of the lines of the report.' }),
});

/** Address of an uploaded export. */
export const importUrl = (base: string, id: string): string => `${base}/@imports/${id}`;

/** Represents an uploaded export with its last job. */
export function importJson(base: string, stored: UploadedExport, job: Job | undefined): Static<typeof ImportBody> {
  const { id, filename, kind, bytes, actor, created, blob, expires, report } = stored;
  const url = importUrl(base, id);
  return {
    ...{ '@id': url, id, filename, kind, bytes, actor, stored: blob !== null, lines: `${url}/lines` },
    created: created.toISOString(),
    expires: expires.toISOString(),
    job: job ? jobJson(base, job) : null,
    report: report !== null && Check(Report, report) ? report : null,
  };
}
