import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { type FeedWire, feedSchema, type ImportRunWire, importRunSchema, undoneImportSchema } from './imports.ts'
import { bodyOf, DONE, defineSharedEndpoint, idParameter, type SharedEndpoint } from './management-shared.ts'
import { serviceSettingsBodies } from './service-settings.ts'
import { CHUNK_BYTES, type UploadWire, uploadBodies, uploadPartQuery, uploadSchema } from './uploads.ts'

const UPLOAD_ID = 'upl_0f246810c52148df3'
const IMPORT_ID = 'imp_0f246810c52148df3'
/** Base64 of one part, and the JSON around it. */
const PART_MAX_BYTES = Math.ceil((CHUNK_BYTES * 4) / 3 / 1024) * 1024 + 1024
const OPERATOR_ONLY = 'For the organization that runs the service, and for keys with the right to `operate`.'
const ofUpload = idParameter('Upload id.')

const exampleImport: ImportRunWire = {
  id: IMPORT_ID,
  format: 'observations',
  started_at: EXAMPLE_TIME,
  finished_at: EXAMPLE_TIME,
  state: 'done',
  counts: { rows: 120, rejected: 2, written: 118 },
}
const exampleUpload: UploadWire = {
  id: UPLOAD_ID,
  format: 'observations',
  file: 'prices.csv',
  bytes: 5120,
  received: 0,
  state: 'receiving',
  by: 'API key Back office (key_0f246810c52148df1)',
  created_at: EXAMPLE_TIME,
  options: {},
  preview: null,
  progress: { rows: 0, percent: null, note: null },
  failure: null,
  run: null,
}
const received = { ...exampleUpload, received: 5120 }

const exampleFeed: FeedWire = {
  name: 'market',
  format: 'observations',
  schedule: '0 4 * * *',
  time_zone: 'UTC',
  last_run_at: EXAMPLE_TIME,
  outcome: 'imported',
  last_success_at: EXAMPLE_TIME,
  last_failure_at: null,
  next_run_at: EXAMPLE_TIME,
}

export const importEndpoints: readonly SharedEndpoint[] = [
  defineSharedEndpoint('POST /api/manage/uploads', {
    dashboard: 'POST /account/uploads',
    id: 'createUpload',
    permission: 'service:operate',
    summary: 'Begin an upload',
    description: `An import in four steps: begin the upload, send the file in parts, check it, run it. A new upload replaces the unfinished one of the same key. ${OPERATOR_ONLY}`,
    body: bodyOf(uploadBodies.begin),
    response: envelopeSchema(uploadSchema),
    examples: [
      {
        summary: 'A price list',
        body: { format: 'observations', file: 'prices.csv', bytes: 5120 },
        data: exampleUpload,
      },
    ],
  }),
  defineSharedEndpoint('POST /api/manage/uploads/{id}/parts', {
    dashboard: 'POST /account/uploads/piece',
    id: 'sendUploadPart',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Send a part of the file',
    description: `At most ${CHUNK_BYTES.toLocaleString('en-US')} bytes per part, in order. Sending the same part again is safe.`,
    isIdempotent: true,
    body: bodyOf(uploadPartQuery.omit({ id: true }).required({ content: true }), PART_MAX_BYTES),
    response: envelopeSchema(z.strictObject({ received: z.int().min(0).describe('Bytes received so far.') })),
    examples: [
      {
        summary: 'The whole of a small file',
        params: { id: UPLOAD_ID },
        body: { at: 0, content: 'dmFyaWFudF9pZA==' },
        data: { received: 10 },
      },
    ],
  }),
  defineSharedEndpoint('GET /api/manage/uploads/{id}', {
    dashboard: 'GET /account/uploads/one',
    id: 'getUpload',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Get an upload',
    description: 'State, progress, preview after the check, and the import.',
    response: envelopeSchema(uploadSchema),
    examples: [{ summary: 'An upload that is complete', params: { id: UPLOAD_ID }, data: received }],
  }),
  defineSharedEndpoint('POST /api/manage/uploads/{id}/check', {
    dashboard: 'POST /account/uploads/check',
    id: 'checkUpload',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Check an upload',
    description:
      'Reads the whole file without writing anything. Poll `getUpload` until `state` is `checked`; `preview` then says what an import would do, and `failure` why it cannot be imported. Options are those of the `import` command.',
    body: bodyOf(uploadBodies.check.omit({ id: true })),
    response: envelopeSchema(uploadSchema),
    examples: [
      {
        summary: 'With a source',
        params: { id: UPLOAD_ID },
        body: { options: { source: 'erp' } },
        data: { ...received, state: 'checking', options: { source: 'erp' } },
      },
    ],
  }),
  defineSharedEndpoint('POST /api/manage/uploads/{id}/run', {
    dashboard: 'POST /account/uploads/run',
    id: 'runUpload',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Import a checked upload',
    description: 'Poll `getUpload` until `state` is `ended`; `run` is the import.',
    response: envelopeSchema(uploadSchema),
    examples: [{ summary: 'An import', params: { id: UPLOAD_ID }, data: { ...received, state: 'running' } }],
  }),
  defineSharedEndpoint('POST /api/manage/uploads/{id}/stop', {
    dashboard: 'POST /account/uploads/stop',
    id: 'stopUpload',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Stop a check or an import',
    description: 'Rows imported until then are kept.',
    isIdempotent: true,
    examples: [{ summary: 'A wrong file', params: { id: UPLOAD_ID }, data: DONE }],
  }),
  defineSharedEndpoint('DELETE /api/manage/uploads/{id}', {
    dashboard: 'POST /account/uploads/discard',
    id: 'discardUpload',
    permission: 'service:operate',
    params: ofUpload,
    summary: 'Discard an upload',
    description: 'Deletes the file. Stop it first while it is being read.',
    examples: [{ summary: 'A wrong file', params: { id: UPLOAD_ID }, data: DONE }],
  }),
  defineSharedEndpoint('GET /api/manage/imports', {
    dashboard: 'GET /account/imports',
    id: 'listImports',
    permission: 'imports:read',
    summary: 'List imports',
    description: 'The newest imports of the service. File names and failures are shown to its operator only.',
    response: envelopeSchema(z.array(importRunSchema)),
    examples: [{ summary: 'A price list', data: [exampleImport] }],
  }),
  defineSharedEndpoint('POST /api/manage/imports/{id}/undo', {
    dashboard: 'POST /account/imports/undo',
    id: 'undoImport',
    permission: 'service:operate',
    params: idParameter('Import id.'),
    summary: 'Undo an import of prices',
    description: `Removes the prices of the import and brings back those that it replaced. ${OPERATOR_ONLY}`,
    response: envelopeSchema(undoneImportSchema),
    examples: [
      { summary: 'A wrong list', params: { id: IMPORT_ID }, data: { observations: 118, restored: 4, devices: 31 } },
    ],
  }),
  defineSharedEndpoint('GET /api/manage/feeds', {
    dashboard: 'GET /account/feeds',
    id: 'listFeeds',
    permission: 'imports:read',
    summary: 'List feeds',
    description: 'Files that the service fetches and imports by schedule.',
    response: envelopeSchema(z.array(feedSchema)),
    examples: [{ summary: 'A nightly price list', data: [exampleFeed] }],
  }),
  defineSharedEndpoint('POST /api/manage/feeds/run', {
    dashboard: 'POST /account/service/feeds/run',
    query: z.object({}),
    id: 'runFeed',
    permission: 'service:operate',
    summary: 'Run a feed now',
    description:
      'Starts fetching and importing a feed; `listFeeds` shows the result. Has no effect on a feed that is already running.',
    isIdempotent: true,
    body: bodyOf(z.strictObject({ name: serviceSettingsBodies.named.shape.name.describe('Name of the feed.') })),
    examples: [{ summary: 'A price list', body: { name: 'market' }, data: DONE }],
  }),
]
