import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import { bodyOf, DONE, doneResponse } from './management-shared.ts'
import { SHARED_FACTS } from './shared-facts.ts'
import { authorSchema, component, idValue, instant, timeZoneValue } from './values.ts'

const facts = z.array(z.enum(SHARED_FACTS)).min(1).max(SHARED_FACTS.length)

const shareSchema = component('AppraisalShare', 'A code on a printed receipt. The code itself is shown once.', {
  share_id: z.string().describe('Id of the share.'),
  facts: facts.describe('Facts that anyone with the code sees.'),
  created_at: instant.describe('Time of its creation.'),
  created_by: authorSchema.describe('Who created it.'),
  revoked_at: instant.nullable().describe('Time at which it was revoked; null while it works.'),
})
export type ShareWire = z.infer<typeof shareSchema>

const newShareSchema = component('NewAppraisalShare', 'A new share with its address.', {
  share: shareSchema,
  url: z.url().optional().describe('Address of the verification page with the code. Absent in a repeated response.'),
})
export type NewShareWire = z.infer<typeof newShareSchema>

const params = z.object({ id: idValue.describe('The `appraisal_id` of an appraisal of your organization.') })
const { appraisal_id: id } = exampleAppraisal
const exampleShare: ShareWire = {
  share_id: 'shr_0f246810c52148df3',
  facts: ['device', 'grade', 'check'],
  created_at: EXAMPLE_TIME,
  created_by: { kind: 'person', id: 'acc_0f246810c52148df3', name: 'Ada' },
  revoked_at: null,
}

export const listShares = defineEndpoint('GET /api/appraisals/{id}/shares', {
  id: 'listShares',
  permission: 'appraisals:read',
  tag: 'Appraisals',
  summary: 'List the share codes of an appraisal',
  description: 'The codes on receipts of one appraisal, newest first, without their addresses.',
  params,
  response: envelopeSchema(z.array(shareSchema)),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [{ summary: 'The codes of an appraisal', params: { id }, data: [exampleShare] }],
})

export const createShare = defineEndpoint('POST /api/appraisals/{id}/shares', {
  id: 'createShare',
  permission: 'appraisals:write',
  tag: 'Appraisals',
  isMetered: false,
  summary: 'Create a share code of an appraisal',
  description:
    'Creates a code that proves a receipt genuine: anyone with its address sees the shared facts until the code is revoked.',
  params,
  secretFields: ['url'],
  body: bodyOf(
    z.object({
      facts: facts.describe('Facts to show.'),
      time_zone: timeZoneValue.optional().describe('Time zone of the shop, such as `Europe/Vilnius`. Default: UTC.'),
    }),
  ),
  response: envelopeSchema(newShareSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'A code that shows device, grade and check',
      params: { id },
      body: { facts: exampleShare.facts },
      data: { share: exampleShare, url: '{base_url}/verify/AbCdEfGhIjKlMnOpQrStUv' },
    },
  ],
})

export const revokeShare = defineEndpoint('DELETE /api/appraisals/{id}/shares/{share_id}', {
  id: 'revokeShare',
  permission: 'appraisals:write',
  tag: 'Appraisals',
  summary: 'Revoke a share code',
  description: 'From now on its address shows the same page as one that never existed.',
  params: params.extend({ share_id: idValue.describe('The `share_id` of the share.') }),
  response: doneResponse,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [{ summary: 'A lost receipt', params: { id, share_id: exampleShare.share_id }, data: DONE }],
})
