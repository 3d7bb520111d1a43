/**
 * Appraises rows of a device list. A value that its device cannot have becomes a question instead of rejecting the row, and
 * so does an asking price that cannot be right.
 */
import type { AppraisalItemWire } from '../contract/appraisal.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type { ListColumn } from '../contract/device-list-columns.ts'
import type { AskingPrices } from './asking-prices.ts'
import type { DeviceListRow, RowQuestion } from './device-list-row.ts'

export type AppraisedListRow<Row extends DeviceListRow> = Row & {
  /** Null if the row cannot be appraised before its questions are answered. */
  readonly item: AppraisalItemWire | null
}

type RowRequest = Partial<AppraisalRequestWire>

/** Fields that a device may be appraised without, with the column they come from. */
const OPTIONAL_FIELDS: Readonly<Partial<Record<keyof AppraisalRequestWire, ListColumn>>> = {
  identifier: 'identifier',
  second_identifier: 'identifier',
  condition: 'condition',
  defects: 'defects',
  lock: 'lock',
  reference: 'reference',
  attributes: 'storage',
}
/** A row may have several values that its device cannot have; each attempt finds one. */
const MAX_ATTEMPTS = 4

/** `send` appraises requests as `POST /api/appraisals/batch` does, one result per request. */
export async function appraiseListRows<Row extends DeviceListRow>(
  rows: readonly Row[],
  askingPrices: Pick<AskingPrices, 'questionsAbout'>,
  send: (requests: readonly RowRequest[]) => Promise<readonly AppraisalItemWire[]>,
): Promise<AppraisedListRow<Row>[]> {
  const results = rows.map((row) => ({ ...row, item: null as AppraisalItemWire | null }))
  let open = results.flatMap(({ request }, at) => (request ? [{ at, request }] : []))
  for (let attempt = 1; open.length > 0; attempt++) {
    const items = await send(open.map(({ request }) => request))
    const repeated: typeof open = []
    for (const [index, { at, request }] of open.entries()) {
      const result = results[at] as (typeof results)[number]
      const item = items[index] ?? null
      const changed = item && !item.success && attempt < MAX_ATTEMPTS ? withoutRejectedValue(request, item.error) : null
      if (changed) {
        repeated.push({ at, request: changed.request })
        results[at] = { ...result, questions: [...result.questions, changed.question] }
      } else {
        const questions = item?.success ? askingPrices.questionsAbout(result, item.result) : []
        results[at] = { ...result, item, questions: [...result.questions, ...questions] }
      }
    }
    open = repeated
  }
  return results
}

type ItemError = Extract<AppraisalItemWire, { success: false }>['error']

/** The request without the value that the error names; null if it names none that can be left out. */
function withoutRejectedValue(
  request: RowRequest,
  { details }: ItemError,
): { request: RowRequest; question: RowQuestion } | null {
  const [field = '', position = ''] = details?.[0]?.field.replace(/^items\[\d+\]\.?/, '').split('.') ?? []
  const name = field as keyof AppraisalRequestWire
  const column = OPTIONAL_FIELDS[name]
  const value = request[name]
  if (column === undefined || value === undefined) return null
  const { [name]: _, ...rest } = request
  const question = (words: unknown): RowQuestion => ({ code: 'value_rejected', column, words: String(words) })
  if (Array.isArray(value) && /^\d+$/.test(position)) {
    const kept = value.filter((_code, at) => at !== Number(position))
    return { request: kept.length > 0 ? { ...rest, defects: kept } : rest, question: question(value[Number(position)]) }
  }
  const words = typeof value === 'object' ? Object.values(value).join(', ') : value
  // Without its identifier a row may name no device.
  return namesDevice(rest) ? { request: rest, question: question(words) } : null
}

const namesDevice = ({ identifier, variant_id, device_id, text }: RowRequest) =>
  [identifier, variant_id, device_id, text].some((value) => value !== undefined)
