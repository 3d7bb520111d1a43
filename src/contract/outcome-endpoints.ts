import { z } from 'zod'
import { batchCost, batchResponse } from './batch.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import {
  OUTCOME_MAX_BYTES,
  OUTCOMES_MAX_BYTES,
  OUTCOMES_MAX_ITEMS,
  type OutcomeWire,
  outcomeItemSchema,
  outcomeRequestSchema,
  outcomesRequestSchema,
  recordedOutcomeSchema,
} from './outcome.ts'

const params = z.object({ id: z.string().describe('The `appraisal_id` of an appraisal of your organization.') })
const { appraisal_id: id } = exampleAppraisal
const exampleOutcome: OutcomeWire = {
  status: 'bought',
  bought: { price: 12_000, currency: 'USD', date: '2026-03-02' },
  sold: null,
  declined: null,
  note: null,
  purchase_id: 'P-260302-7K3MXQ',
  created_by: { kind: 'person', id: 'acc_0f246810c52148df3', name: 'Ada' },
  updated_at: EXAMPLE_TIME,
}

export const recordOutcome = defineEndpoint('POST /api/appraisals/{id}/outcome', {
  id: 'recordOutcome',
  permission: 'outcomes:write',
  isIdempotent: true,
  params,
  tag: 'Appraisals',
  summary: 'Record the outcome of an appraisal',
  description:
    'Records that you bought the device, that there was no deal, or that you sold the device. A device must be bought before it is sold. A later request corrects an earlier one; `sold` keeps the price and the day of the purchase. Prices of devices without defects become price observations of your organization and change its prices within seconds. A price above `max_offer` needs a manager, or a key with the right to manage; a device that comes in several storage sizes is bought only with its size. The response is sent after the outcome is durable. Each change is in the audit trail and creates an event.',
  idempotency: 'atomic',
  body: { schema: outcomeRequestSchema, maxBytes: OUTCOME_MAX_BYTES, secretFields: ['approval'] },
  response: envelopeSchema(recordedOutcomeSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'A device you bought',
      params: { id },
      body: { status: 'bought', price: 12_000, date: '2026-03-02' },
      data: { appraisal_id: id, outcome: exampleOutcome },
    },
    {
      summary: 'A device you sold',
      params: { id },
      body: { status: 'sold', price: 21_500, channel: 'eBay', date: '2026-03-20' },
      data: {
        appraisal_id: id,
        outcome: {
          ...exampleOutcome,
          status: 'sold',
          sold: { price: 21_500, currency: 'USD', date: '2026-03-20', channel: 'eBay' },
        },
      },
    },
    {
      summary: 'An offer the customer declined',
      params: { id },
      body: { status: 'declined', declined_by: 'customer' },
      data: {
        appraisal_id: id,
        outcome: {
          ...exampleOutcome,
          status: 'declined',
          bought: null,
          purchase_id: null,
          declined: { by: 'customer', date: '2026-03-02' },
        },
      },
    },
  ],
})

export const removeOutcome = defineEndpoint('DELETE /api/appraisals/{id}/outcome', {
  id: 'removeOutcome',
  permission: 'outcomes:write',
  params,
  tag: 'Appraisals',
  summary: 'Remove the outcome of an appraisal',
  description:
    'Undoes a mistake: the appraisal is open again, and the prices of the deal no longer count. The audit trail keeps the removed outcome. An appraisal without an outcome stays as it is.',
  response: envelopeSchema(recordedOutcomeSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'An appraisal that is open again', params: { id }, data: { appraisal_id: id, outcome: null } }],
})

export const recordOutcomes = defineEndpoint('POST /api/appraisals/outcomes/batch', {
  id: 'recordOutcomes',
  permission: 'outcomes:batch',
  isIdempotent: true,
  tag: 'Appraisals',
  summary: `Record up to ${OUTCOMES_MAX_ITEMS} outcomes`,
  description:
    'One result or error per item, in the order of the request; the same appraisal may be bought and later sold in one request. All applied outcomes become durable together, or none does. Each item counts as one request against the limit.',
  idempotency: 'atomic',
  body: {
    schema: outcomesRequestSchema,
    maxBytes: OUTCOMES_MAX_BYTES,
    name: 'items',
    cost: batchCost('items', OUTCOMES_MAX_ITEMS),
  },
  response: batchResponse(outcomeItemSchema, OUTCOMES_MAX_ITEMS),
  errors: ['LIMIT_REACHED'],
  examples: [
    {
      summary: 'A purchase, and an appraisal that does not exist',
      body: {
        items: [
          { appraisal_id: id, status: 'bought', price: 12_000, date: '2026-03-02' },
          { appraisal_id: 'apr_0', status: 'declined', declined_by: 'shop' },
        ],
      },
      data: [
        { index: 0, success: true, result: { appraisal_id: id, outcome: exampleOutcome } },
        { index: 1, success: false, error: { code: 'NOT_FOUND', message: 'Appraisal apr_0 was not found.' } },
      ],
    },
  ],
})
