import { z } from 'zod'
import { fileLanguage } from './csv-format.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { type FeedWire, feedSchema, type ImportRunWire, importRunSchema, undoneImportSchema } from './imports.ts'
import { bodyOf, DONE, defineManagementEndpoint, idParameter } from './management-shared.ts'
import {
  newUploadSchema,
  PART_BYTES,
  type UploadWire,
  uploadChangeSchema,
  uploadPageSchema,
  uploadPartSchema,
  uploadSchema,
} from './uploads.ts'

const UPLOAD_ID = 'upl_0f246810c52148df3'
const IMPORT_ID = 'imp_0f246810c52148df3'
/** Base64 of one part, and the JSON around it. */
const PART_MAX_BYTES = Math.ceil((PART_BYTES * 4) / 3 / 1024) * 1024 + 1024
/** Time for one part at 250 kbit/s. */
const PART_DEADLINE_MS = 32_000
const OPERATOR_ONLY = 'For the organization that runs the service, and for keys with the right to `operate`.'
const ofUpload = idParameter('Upload id.')
const ofImport = idParameter('Import id.')

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
  failure_reason: null,
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
  prices: null,
}

export const getUploads = defineManagementEndpoint('GET /api/manage/uploads', {
  id: 'getUploads',
  permission: 'service:operate',
  summary: 'Get the current upload and the limits of uploads',
  description: `The unfinished or last upload of the caller, the size of parts, and the values that options can have. ${OPERATOR_ONLY}`,
  response: envelopeSchema(uploadPageSchema),
  examples: [
    {
      summary: 'Before the first upload',
      data: {
        max_bytes: 104_857_600,
        part_bytes: PART_BYTES,
        current: null,
        profiles: [],
        currencies: ['EUR', 'USD'],
        default_market: 'US',
        markets: [{ code: 'US', name: 'United States' }],
      },
    },
  ],
})

export const createUpload = defineManagementEndpoint('POST /api/manage/uploads', {
  id: 'createUpload',
  permission: 'service:operate',
  summary: 'Begin an upload',
  description: `An import in four steps: begin the upload, send the file in parts, check it, run it. A new upload replaces the unfinished one of the same caller. With \`rejected_rows_of\` the file is the rejected rows of an import, which are checked at once with the options of that import. ${OPERATOR_ONLY}`,
  body: bodyOf(newUploadSchema),
  response: envelopeSchema(uploadSchema),
  examples: [
    {
      summary: 'A price list',
      body: { format: 'observations', file: 'prices.csv', bytes: 5120 },
      data: exampleUpload,
    },
    {
      summary: 'The rejected rows of an import',
      body: { rejected_rows_of: IMPORT_ID },
      data: { ...received, state: 'checking' },
    },
  ],
})

export const sendUploadPart = defineManagementEndpoint('POST /api/manage/uploads/{id}/parts', {
  id: 'sendUploadPart',
  permission: 'service:operate',
  params: ofUpload,
  summary: 'Send a part of the file',
  description: `At most ${PART_BYTES.toLocaleString('en-US')} bytes per part, in order. Sending the same part again is safe.`,
  isIdempotent: true,
  body: { schema: uploadPartSchema, maxBytes: PART_MAX_BYTES, deadlineMs: PART_DEADLINE_MS },
  response: envelopeSchema(z.strictObject({ received: z.int().min(0).describe('Bytes received so far.') })),
  examples: [
    {
      summary: 'The whole of a small file',
      params: { id: UPLOAD_ID },
      body: { at: 0, content: 'dmFyaWFudF9pZA==' },
      data: { received: 10 },
    },
  ],
})

export const getUpload = defineManagementEndpoint('GET /api/manage/uploads/{id}', {
  id: 'getUpload',
  permission: 'service:operate',
  params: ofUpload,
  summary: 'Get an upload',
  description: 'State, progress, preview after the check, and the import.',
  response: envelopeSchema(uploadSchema),
  examples: [{ summary: 'An upload that is complete', params: { id: UPLOAD_ID }, data: received }],
})

export const changeUpload = defineManagementEndpoint('PATCH /api/manage/uploads/{id}', {
  id: 'changeUpload',
  permission: 'service:operate',
  params: ofUpload,
  summary: 'Check, import or stop an upload',
  description:
    '`check` reads the whole file without writing anything: poll `getUpload` until `state` is `checked`; `preview` then says what an import would do, and `failure` why it cannot be imported. `options` are those of the `import` command. `run` imports a checked upload: poll until `state` is `ended`; `run` is the import. `stop` ends a check or an import; rows imported until then are kept.',
  body: bodyOf(uploadChangeSchema),
  response: envelopeSchema(uploadSchema),
  examples: [
    {
      summary: 'A check with a source',
      params: { id: UPLOAD_ID },
      body: { action: 'check', options: { source: 'erp' } },
      data: { ...received, state: 'checking', options: { source: 'erp' } },
    },
    {
      summary: 'An import',
      params: { id: UPLOAD_ID },
      body: { action: 'run' },
      data: { ...received, state: 'running' },
    },
  ],
})

export const discardUpload = defineManagementEndpoint('DELETE /api/manage/uploads/{id}', {
  id: 'discardUpload',
  permission: 'service:operate',
  params: ofUpload,
  summary: 'Discard an upload',
  description: 'Deletes the file. Stop it first while it is being read.',
  examples: [{ summary: 'A wrong file', params: { id: UPLOAD_ID }, data: DONE }],
})

export const listImports = defineManagementEndpoint('GET /api/manage/imports', {
  id: 'listImports',
  permission: 'imports:read',
  summary: 'List imports',
  description: 'The newest imports of the service. File names and failures are shown to its operator only.',
  response: envelopeSchema(z.array(importRunSchema)),
  examples: [{ summary: 'A nightly price list', data: [exampleImport] }],
})

export const getImport = defineManagementEndpoint('GET /api/manage/imports/{id}', {
  id: 'getImport',
  permission: 'imports:read',
  params: ofImport,
  summary: 'Get an import',
  description: 'One import. File name and failure are shown to the operator of the service only.',
  response: envelopeSchema(importRunSchema),
  examples: [{ summary: 'A nightly price list', params: { id: IMPORT_ID }, data: exampleImport }],
})

export const listFeeds = defineManagementEndpoint('GET /api/manage/feeds', {
  id: 'listFeeds',
  permission: 'imports:read',
  summary: 'List feeds',
  description:
    'Files and price services that the service fetches and imports by schedule. Addresses and failures are shown to its operator only.',
  response: envelopeSchema(z.array(feedSchema)),
  examples: [{ summary: 'A nightly price list', data: [exampleFeed] }],
})

export const getRejectedRows = defineManagementEndpoint('GET /api/manage/imports/{id}/rejected', {
  id: 'getRejectedRows',
  permission: 'service:operate',
  params: ofImport,
  query: z.strictObject({ language: fileLanguage }),
  summary: 'Download the rejected rows of an import',
  description: `The rejected rows as CSV: line, reason, detail and the original columns. ${OPERATOR_ONLY}`,
  mediaType: 'text/csv',
  response: z.string().describe('The rejected rows.'),
  examples: [
    {
      summary: 'A price list',
      params: { id: IMPORT_ID },
      data: '\uFEFFLine,Reason,Detail,model,price\n4,unknown model,Apple iPhone 13 Ultra,Apple iPhone 13 Ultra,360\n',
    },
  ],
})

export const undoImport = defineManagementEndpoint('POST /api/manage/imports/{id}/undo', {
  id: 'undoImport',
  permission: 'service:operate',
  params: ofImport,
  summary: 'Undo an import of prices',
  description: `Removes the prices of the import and brings back those that it replaced. ${OPERATOR_ONLY}`,
  response: envelopeSchema(undoneImportSchema),
  examples: [
    { summary: 'A wrong list', params: { id: IMPORT_ID }, data: { observations: 118, restored: 4, devices: 31 } },
  ],
})

export const importEndpoints = [
  getUploads,
  createUpload,
  sendUploadPart,
  getUpload,
  changeUpload,
  discardUpload,
  listImports,
  getImport,
  listFeeds,
  getRejectedRows,
  undoImport,
] as const
