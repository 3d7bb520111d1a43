import type { AppraisalService } from '../appraisal/appraisal-service.ts'
import { authorOf } from '../auth/actor.ts'
import type { AppraisalWire } from '../contract/appraisal.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type {
  DeviceListChangeWire,
  DeviceListComparisonWire,
  DeviceListDifferenceWire,
  DeviceListRowWire,
  DeviceListWire,
  DeviceListWithRowsWire,
} from '../contract/device-lists.ts'
import { MAX_DIFFERENCES } from '../contract/device-lists.ts'
import type { LineSelection } from '../contract/line-selection.ts'
import { excerpt, invalid, notFound } from '../lib/errors.ts'
import { oneAtATime, runTimeSliced, timeSlice, yieldToEventLoop } from '../lib/event-loop.ts'
import { sortableId } from '../lib/id.ts'
import { isoInstant } from '../lib/time.ts'
import type { TimeSliced } from '../lib/time-sliced.ts'
import type { CallerContext } from '../records/durable-response-service.ts'
import { type AppraisedListRow, appraiseListRows } from './appraise-rows.ts'
import type { AskingPrices } from './asking-prices.ts'
import {
  type ComparedRow,
  compareRows,
  createRowComparer,
  findPreviousVersion,
  type RowDifference,
} from './compare-lists.ts'
import { type AskingPrice, type DeviceListRow, readDeviceListRowInSlices } from './device-list-row.ts'
import type { DeviceList, DeviceListStore, StoredRow } from './device-list-store.ts'
import { createCellGetter, createRowClassifier, nameColumns } from './list-columns.ts'
import { boundRow } from './row-bounds.ts'
import { type RowChange, withRowChange } from './row-change.ts'
import { rowOutcome } from './row-outcome.ts'
import { type TaughtWords, toTaughtWords } from './taught-words.ts'

export type DeviceListOptions = {
  readonly store: DeviceListStore
  readonly appraiseBatch: AppraisalService['appraiseBatch']
  /** Appraisals of an organization with their outcomes, as JSON by id. */
  readonly findAppraisals: (
    organizationId: string,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, AppraisalWire>>
  /** Deletes appraisals that have neither an outcome nor a share code. */
  readonly removeDrafts: (organizationId: string, ids: readonly string[]) => Promise<void>
  /** Reads the taught words anew, so that the next appraisal knows them. */
  readonly refreshWords: () => Promise<void>
  readonly currencyOf: (organizationId: string) => string
  readonly askingPrices: AskingPrices
}

/** The caller, and whether it may check IMEIs and serial numbers. */
export type ListCaller = CallerContext & { readonly mayCheck: boolean }

type NewList = {
  readonly name: string
  readonly supplier?: string | undefined
  readonly header: readonly string[]
  readonly columns?: DeviceList['columns'] | undefined
  readonly file_hash?: string | undefined
  readonly is_copy?: boolean | undefined
}
/** Lists among which the previous version of a list is looked for. */
const MAX_EARLIER_LISTS = 100
/** Rows read at a time: each comes with an appraisal of about five kilobytes, and SQLite reads in the event loop. */
const ROWS_PER_READ = 50
const ROWS_PER_PART = 10
/** Of JSON in one response, before the last part; the rest is read with `after`. */
const MAX_RESPONSE_CHARS = 2_500_000
/** Of a name and a grade in a comparison, which may have 2,000 rows. */
const MAX_COMPARED_CHARS = 200
/** Rows appraised and committed at a time: a whole request at once would hold the event loop and much memory. */
const ROWS_PER_APPRAISAL = 100

type SentRow = NonNullable<DeviceListChangeWire['rows']>[number]
type ReadRow = DeviceListRow & Pick<StoredRow, 'line' | 'cells' | 'change'>

export type DeviceLists = ReturnType<typeof createDeviceLists>

/** Device lists: rows are read, appraised and stored, and can be opened again. */
export function createDeviceLists(options: DeviceListOptions) {
  const { store } = options
  const inTurn = oneAtATime()

  async function find(organizationId: string, id: string): Promise<DeviceList> {
    // Another organization's list is NOT_FOUND, so that callers cannot probe for ids.
    const list = await store.find(organizationId, id)
    if (!list) throw notFound(`List ${excerpt(id)}`)
    return list
  }

  const present = (organizationId: string, list: DeviceList): DeviceListWire => ({
    id: list.id,
    name: list.name,
    supplier: list.supplier,
    state: list.state,
    header: [...list.header],
    columns: [...list.columns],
    row_count: list.rowCount,
    currency: options.currencyOf(organizationId),
    created_by: list.createdBy,
    created_at: isoInstant(list.createdAt),
    updated_at: isoInstant(list.updatedAt),
  })

  async function presentWithRows(
    organizationId: string,
    list: DeviceList,
    rows: readonly StoredRow[],
    { isNew = false, nextAfter = null, compare }: { isNew?: boolean; nextAfter?: number | null; compare?: string } = {},
  ): Promise<DeviceListWithRowsWire> {
    const previous = await findPrevious(organizationId, list)
    const comparison = compare === undefined ? null : await compareWith(organizationId, list, compare, previous)
    const words = await store.words(organizationId)
    const room = MAX_RESPONSE_CHARS - JSON.stringify({ words, comparison }).length
    const presented = await presentInParts(organizationId, list, rows, room)
    return {
      ...present(organizationId, list),
      is_new: isNew,
      words,
      rows: presented,
      next_after: presented.length < rows.length ? (presented.at(-1)?.line ?? null) : nextAfter,
      previous: previous && presentOther(previous),
      comparison,
    }
  }

  const findPrevious = async (organizationId: string, list: DeviceList) =>
    findPreviousVersion(list, await store.list(organizationId, { after: list.id, limit: MAX_EARLIER_LISTS }))

  /** Null if there is no previous list. */
  async function compareWith(
    organizationId: string,
    list: DeviceList,
    compare: string,
    previous: DeviceList | null,
  ): Promise<DeviceListComparisonWire | null> {
    const other = compare === 'previous' ? previous : await find(organizationId, compare)
    if (!other) return null
    const [before, after] = [await comparedRows(organizationId, other), await comparedRows(organizationId, list)]
    return presentComparison(other, after, await runTimeSliced(compareRows(before, after)))
  }

  async function comparedRows(organizationId: string, list: DeviceList): Promise<ComparedRow[]> {
    const toCompared = createRowComparer(list)
    const compared: ComparedRow[] = []
    for await (const rows of readPages(organizationId, list.id)) compared.push(...rows.map(toCompared))
    return compared
  }

  /** As many rows as were asked for, or as fit into a response. */
  async function readPage(organizationId: string, id: string, { after, limit }: { after: number; limit: number }) {
    const rows: StoredRow[] = []
    let chars = 0
    for await (const part of readPages(organizationId, id, after)) {
      rows.push(...part)
      chars += part.reduce((sum, { cells }) => sum + cells.join('').length, 0)
      if (rows.length > limit || chars > MAX_RESPONSE_CHARS) break
    }
    const page = rows.slice(0, limit)
    const hasMore = rows.length > limit || chars > MAX_RESPONSE_CHARS
    return { page, nextAfter: hasMore ? (page.at(-1)?.line ?? null) : null }
  }

  /** All rows of a list, a few at a time: other requests are served in between. */
  async function* readPages(organizationId: string, id: string, first = 0): AsyncGenerator<StoredRow[]> {
    for (let after = first; ; ) {
      const rows = await store.rows(organizationId, id, { after, limit: ROWS_PER_READ })
      if (rows.length === 0) return
      yield rows
      after = rows.at(-1)?.line ?? after
      await yieldToEventLoop()
    }
  }

  /** A few rows at a time: other requests are served in between. At least one part, then as many as fit into `room`. */
  async function presentInParts(organizationId: string, list: DeviceList, rows: readonly StoredRow[], room: number) {
    const presented: DeviceListRowWire[] = []
    let left = room
    for (let from = 0; from < rows.length && left > 0; from += ROWS_PER_PART) {
      if (from > 0) await yieldToEventLoop()
      const part = await presentRows(organizationId, list, rows.slice(from, from + ROWS_PER_PART))
      presented.push(...part)
      left -= JSON.stringify(part).length
    }
    return presented
  }

  async function presentRows(
    organizationId: string,
    { id: listId }: DeviceList,
    rows: readonly StoredRow[],
  ): Promise<DeviceListRowWire[]> {
    const appraisals = await options.findAppraisals(
      organizationId,
      rows.flatMap(({ appraisalId }) => appraisalId ?? []),
    )
    const earlierIds = (appraisal: AppraisalWire | null) =>
      appraisal?.identity.known_to_you.map(({ appraisal_id: id }) => id) ?? []
    const lists = await store.listsOf(organizationId, [...appraisals.values()].flatMap(earlierIds), listId)
    return rows.map((row) => {
      const isSettled = Boolean(row.change?.defects)
      const appraisal = (row.appraisalId && appraisals.get(row.appraisalId)) || null
      const others = earlierIds(appraisal).flatMap((id) => lists.get(id) ?? [])
      const currency = appraisal?.currency ?? options.currencyOf(organizationId)
      return {
        line: row.line,
        cells: [...row.cells],
        change: row.change && { ...row.change, defects: row.change.defects && [...row.change.defects] },
        questions: [...row.questions],
        is_settled: isSettled,
        quantity: row.quantity,
        asking_price: presentPrice(row.askingPrice),
        asking_amount: options.askingPrices.amountOf(row.askingPrice, currency),
        outcome: rowOutcome({ appraisal, questions: row.questions, is_settled: isSettled }),
        appraisal,
        error: row.error,
        ...(row.reason ? { reason_code: row.reason.code, params: row.reason.params } : {}),
        in_lists: [...new Map(others.map((other) => [other.id, other])).values()],
      }
    })
  }

  /** Reads and appraises rows; titles and sums are left out. */
  async function appraiseRows(list: DeviceList, sent: readonly SentRow[], caller: ListCaller): Promise<StoredRow[]> {
    const { organizationId } = caller
    const words = toTaughtWords(await store.words(organizationId))
    const lines = sent.map(({ line }) => line)
    const stored = new Map((await store.rowsAt(organizationId, list.id, lines)).map((row) => [row.line, row]))
    const rows: ReadRow[] = []
    const readRow = createRowReader(list, stored, words)
    const pause = timeSlice()
    // The request has just been parsed.
    await yieldToEventLoop()
    for (const [at, row] of sent.entries()) {
      rows.push(...(await runTimeSliced(readRow(row, at))))
      await pause()
    }
    const batchCaller = { ...caller, isList: true, replaces: new Set(appraisalsOf([...stored.values()])) }
    const send = async (requests: readonly Partial<AppraisalRequestWire>[]) => {
      const items = caller.mayCheck ? requests : requests.map(withoutIdentifiers)
      return (await options.appraiseBatch({ items }, batchCaller)).data
    }
    const appraised: StoredRow[] = []
    try {
      for (let from = 0; from < rows.length; from += ROWS_PER_APPRAISAL) {
        const part = await appraiseListRows(rows.slice(from, from + ROWS_PER_APPRAISAL), options.askingPrices, send)
        appraised.push(...part.map(toStoredRow))
        await yieldToEventLoop()
      }
    } catch (error) {
      // The list has no row for the offers made so far. If they cannot be removed, the caller still gets the first error.
      await options.removeDrafts(organizationId, appraisalsOf(appraised)).catch(() => {})
      throw error
    }
    return appraised
  }

  return {
    async list(organizationId: string, page: { readonly after?: string | undefined; readonly limit: number }) {
      return (await store.list(organizationId, page)).map((list) => present(organizationId, list))
    },

    /** The earlier list of the same file unless a copy is wanted. */
    async add(list: NewList, caller: CallerContext): Promise<DeviceListWithRowsWire> {
      const { organizationId, principal, now } = caller
      const fileHash = list.file_hash ?? null
      const earlier = fileHash && !list.is_copy ? await store.findByFile(organizationId, fileHash) : null
      if (earlier) return presentWithRows(organizationId, earlier, [])
      const id = sortableId('list', now)
      await store.add(
        organizationId,
        {
          id,
          name: list.name,
          supplier: list.supplier ?? '',
          state: 'open',
          header: list.header,
          columns: list.columns ?? nameColumns(list.header),
          fileHash,
          createdBy: authorOf(principal),
          createdAt: now,
        },
        principal.actor,
      )
      return presentWithRows(organizationId, await find(organizationId, id), [], { isNew: true })
    },

    /** One after the other for an organization: a page, and even more a comparison, takes much memory. */
    open(
      organizationId: string,
      id: string,
      {
        after,
        limit,
        compare,
      }: { readonly after: number; readonly limit: number; readonly compare?: string | undefined },
    ) {
      return inTurn(organizationId, async () => {
        const list = await find(organizationId, id)
        const { page, nextAfter } = await readPage(organizationId, id, { after, limit })
        return presentWithRows(organizationId, list, page, { nextAfter, ...(compare === undefined ? {} : { compare }) })
      })
    },

    /** A list and all its rows, or those of some lines, a few at a time. */
    async export(organizationId: string, id: string, isSelected?: LineSelection) {
      const list = await find(organizationId, id)
      const isWanted = ({ line }: StoredRow) => !isSelected || isSelected(line)
      async function* batches(): AsyncGenerator<DeviceListRowWire[]> {
        for await (const rows of readPages(organizationId, id)) {
          const wanted = rows.filter(isWanted)
          if (wanted.length > 0) yield await presentRows(organizationId, list, wanted)
        }
      }
      return { list, batches: batches() }
    },

    async change(id: string, change: DeviceListChangeWire, caller: ListCaller): Promise<DeviceListWithRowsWire> {
      const { organizationId, now, principal } = caller
      const { words = [], rows = [], name, supplier, state } = change
      const list = await find(organizationId, id)
      await store.change(organizationId, list, { name, supplier, state }, principal.actor, now)
      if (words.length > 0) {
        const taught = words.filter(({ forget }) => !forget)
        await store.teach(
          organizationId,
          {
            taught: taught.map(({ word, condition = null, defect = null }) => ({ word, condition, defect })),
            forgotten: words.filter(({ forget }) => forget).map(({ word }) => word),
          },
          now,
        )
        await options.refreshWords()
      }
      const appraised = await appraiseRows(list, rows, caller)
      const replaced = appraised.length > 0 ? await store.saveRows(organizationId, id, appraised, now) : []
      // An offer for what the row said before, or of a list that was removed meanwhile, would stay among the offers.
      await options.removeDrafts(organizationId, appraisalsOf(replaced ?? appraised))
      if (!replaced) throw notFound(`List ${excerpt(id)}`)
      return presentWithRows(organizationId, await find(organizationId, id), change.omit_rows ? [] : appraised)
    },

    async remove(id: string, { organizationId, principal, now }: CallerContext): Promise<DeviceListWire> {
      const list = await find(organizationId, id)
      await store.remove(organizationId, list, principal.actor, now)
      return present(organizationId, list)
    },
  }
}

const appraisalsOf = (rows: readonly StoredRow[]) => rows.flatMap(({ appraisalId }) => appraisalId ?? [])

const presentOther = ({ id, name, createdAt }: DeviceList) => ({ id, name, created_at: isoInstant(createdAt) })

const presentPrice = (price: AskingPrice | null) => price && { value: price.value, currency: price.currency }

const presentCompared = ({ line, grade, askingPrice, quantity }: ComparedRow) => ({
  line,
  grade: grade.slice(0, MAX_COMPARED_CHARS),
  asking_price: presentPrice(askingPrice),
  quantity,
})

function presentComparison(
  other: DeviceList,
  after: readonly ComparedRow[],
  differences: readonly RowDifference[],
): DeviceListComparisonWire {
  const counts = { added: 0, gone: 0, price_changed: 0, grade_changed: 0, quantity_changed: 0 }
  for (const kind of differences.flatMap(({ kinds }) => kinds)) counts[kind]++
  const unchanged = after.length - differences.filter((difference) => difference.after).length
  return {
    list: presentOther(other),
    counts: { ...counts, unchanged },
    differences: differences.slice(0, MAX_DIFFERENCES).map(
      ({ kinds, after, before }): DeviceListDifferenceWire => ({
        kinds: [...kinds],
        device: ((after ?? before)?.name ?? '').slice(0, MAX_COMPARED_CHARS),
        identifier: (after ?? before)?.identifier ?? null,
        after: after && presentCompared(after),
        before: before && presentCompared(before),
      }),
    ),
  }
}

/** Reads a row; none for a title or a sum. */
function createRowReader(
  { header, columns }: DeviceList,
  stored: ReadonlyMap<number, StoredRow>,
  words: TaughtWords,
): (row: SentRow, at: number) => TimeSliced<ReadRow[]> {
  const kindOf = createRowClassifier({ header, hasHeader: header.some((title) => title !== '') }, columns)
  const getCell = createCellGetter(columns, header)
  return function* ({ line, ...row }, at) {
    const sent = row.cells ?? stored.get(line)?.cells
    if (!sent) throw invalid(`rows.${at}.cells`, undefined, 'the cells of a row that is not stored yet')
    const { cells, remarks } = boundRow(sent, columns)
    if (kindOf(cells) !== 'row') return []
    const change = row.change ? toChange(row.change) : (stored.get(line)?.change ?? null)
    const cellOf = withRowChange((column) => getCell(cells, column), change)
    const read = yield* readDeviceListRowInSlices(cellOf, words)
    return [{ ...read, questions: [...read.questions, ...remarks], line, cells, change }]
  }
}

const toStoredRow = ({
  line,
  cells,
  change,
  questions,
  quantity,
  askingPrice,
  item,
}: AppraisedListRow<ReadRow>): StoredRow => ({
  line,
  cells,
  change,
  questions,
  quantity,
  askingPrice,
  error: item && !item.success ? item.error.message.replace(/^items\[\d+\]\.?/, '') : null,
  reason: item && !item.success ? toReason(item.error) : null,
  appraisalId: item?.success ? item.result.appraisal_id : null,
})

const toReason = ({ reason_code: code, params }: Pick<DeviceListRowWire, 'reason_code' | 'params'>) =>
  code === undefined ? null : { code, params }

const toChange = ({
  device_id,
  storage,
  condition,
  defects,
  identifier,
  asking_price,
}: NonNullable<SentRow['change']>): RowChange => ({
  device_id: device_id ?? null,
  storage: storage ?? null,
  condition: condition ?? null,
  defects: defects ?? null,
  identifier: identifier ?? null,
  asking_price: asking_price ?? null,
})

function withoutIdentifiers<Request extends { identifier?: unknown; second_identifier?: unknown }>(request: Request) {
  const { identifier: _, second_identifier: _second, ...rest } = request
  return rest
}
