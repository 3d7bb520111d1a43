import { APPRAISAL_HEADER, appraisalCells } from '../appraisal/appraisal-export.ts'
import type { AppraisalFilter } from '../appraisal/appraisal-store.ts'
import { type AppraisedDeviceWire, accountBodies } from '../contract/account.ts'
import { DECISIONS } from '../contract/appraisal.ts'
import { appraisalRequestSchema } from '../contract/appraisal-request.ts'
import { type LookupResultWire, lookupResultSchema } from '../contract/imei.ts'
import { pageMeta, readCount } from '../contract/paging.ts'
import { invalid, notFound } from '../errors.ts'
import { readyAnswer } from '../http/ready.ts'
import { readAs } from '../read-as.ts'
import { DAY_MS, isDay } from '../time.ts'
import { checkTier } from './check-tier.ts'
import { csvLines, csvResponse } from './csv-response.ts'
import type { AccountParts } from './parts.ts'
import { type AccountContext, type AccountRoute, changes, reads } from './route.ts'

const PAGE_SIZE = 25
const MOST_PAGES = 1_000_000
/** More devices than that nobody looks through in a list of choices. */
const MOST_DEVICES = 200

/** The counter: what an offer would be while somebody ticks, and the appraisals that were made. */
export function appraisalRoutes(parts: AccountParts): AccountRoute[] {
  const { appraisals, records } = parts.appraisal

  /** A lookup of the organization in the words of today; one from before answers said all of it is to be made again. */
  async function lookupOf(c: AccountContext, id: string): Promise<LookupResultWire> {
    const record = await parts.lookups.find(c.get('organization').id, id)
    const read = record === null ? null : lookupResultSchema.safeParse(JSON.parse(record))
    if (!read?.success) throw notFound('The lookup')
    return read.data
  }

  async function csv(c: AccountContext): Promise<Response> {
    checkTier(c, 'paid')
    const filter = filterOf(c)
    const answers = records.export(c.get('organization').id, filter)
    const lines = csvLines(APPRAISAL_HEADER, answers, appraisalCells)
    return csvResponse('appraisals.csv', lines, c.get('facts').id)
  }

  return [
    changes(
      '/account/appraisals/preview',
      'member',
      accountBodies.previewAppraisal,
      async (c, { lookup_id: lookupId, request }) => {
        checkTier(c, lookupId === null ? 'paid' : 'enterprise')
        const lookup = lookupId === null ? null : await lookupOf(c, lookupId)
        // The identifier comes from the lookup alone, so that none is asked about without a record of it.
        const known = lookup
          ? { identifier: lookup.identifier, identifier_type: lookup.identifier_type }
          : { identifier: undefined }
        const body = readAs(appraisalRequestSchema, { ...request, ...known }, { whole: 'request' })
        const asking = { organizationId: c.get('organization').id, now: c.get('facts').now }
        return { data: await appraisals.preview(body, asking, lookup) }
      },
    ),

    reads('/account/appraisals', 'member', async (c) => {
      checkTier(c, 'paid')
      const page = readCount(c.req.query('page'), 1, MOST_PAGES)
      const wanted = { ...filterOf(c), page, limit: PAGE_SIZE, now: c.get('facts').now }
      const { answers, total } = await appraisals.history(c.get('organization').id, wanted)
      return readyAnswer(`[${answers.join(',')}]`, JSON.stringify(pageMeta(page, PAGE_SIZE, total)))
    }),

    reads('/account/appraisals.csv', 'member', csv),

    reads('/account/appraisals/devices', 'member', async (c) => {
      checkTier(c, 'paid')
      const devices = await records.devices(c.get('organization').id, MOST_DEVICES)
      const data: AppraisedDeviceWire[] = devices.map(({ deviceId, total }) => ({
        device_id: deviceId,
        device_name: parts.appraisal.deviceName(deviceId) ?? deviceId,
        total,
      }))
      return { data }
    }),
  ]
}

function filterOf(c: AccountContext): AppraisalFilter {
  const given = (name: string) => c.req.query(name) || undefined
  const day = given('day')
  if (day !== undefined && !isDay(day)) throw invalid('day', day, 'a day such as 2026-03-02')
  const from = day === undefined ? undefined : Date.parse(day)
  return {
    decision: DECISIONS.find((decision) => decision === given('decision')),
    deviceId: given('device'),
    reference: given('reference'),
    from,
    to: from === undefined ? undefined : from + DAY_MS,
  }
}
