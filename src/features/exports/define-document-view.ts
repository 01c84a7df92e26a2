import { VIEW } from '../../security/permissions.ts';
import { DispositionQuery } from '../../services/download/disposition.ts';
import { defineService, type RequestContext, type Service, type ServiceResponse } from '../../services/service.ts';
import { exportHeaders } from './export-headers.ts';

/** A view that makes a document of content, for whoever may view it. */
export type DocumentView = {
  name: string;
  summary: string;
  /** What the answer is, for its description. */
  description: string;
  /** The media type of the document, which is text in UTF-8. */
  mediaType: string;
  /** How its file name ends, behind the name of the content. */
  extension: string;
  /** The document itself. */
  make(context: RequestContext): Promise<Pick<ServiceResponse, 'text' | 'stream'>>;
};

/** Declares a view that is downloaded as a document: GET of it on any content. */
export const defineDocumentView = ({ name, summary, description, mediaType, extension, make }: DocumentView): Service =>
  defineService({
    name,
    method: 'GET',
    context: 'content',
    permission: VIEW,
    summary,
    query: DispositionQuery,
    responses: { 200: { description, contentType: mediaType } },
    run: async (context) => ({
      status: 200,
      headers: exportHeaders(context, `${context.resolved.object.name}.${extension}`),
      contentType: `${mediaType}; charset=utf-8`,
      ...(await make(context)),
    }),
  });
