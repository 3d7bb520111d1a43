/** One import of price lists: what its steps share, from the open tables to the written prices. */
import { readAllDevices } from '../../catalog/catalogue-store.ts'
import { compareInListOrder, type Device, type DeviceRegistry } from '../../catalog/device.ts'
import { missingRate } from '../../currency/exchange.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import { createRateLookup, type RateLookup } from '../../currency/rate-lookup.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import { createFirstPriceRanges, type FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import { markLocal } from '../../pricing/observations/observation-store.ts'
import { createSubjectMatcher, STORAGE_MISSING } from '../../pricing/observations/subject-matcher.ts'
import type { ImportContext } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { createTacLearner } from './learned-tacs-service.ts'
import { openPriceBatches } from './price-batches-service.ts'
import type { FileColumn } from './price-columns.ts'
import { createPriceEffect, THESE_DEVICES_ONLY } from './price-effect-service.ts'
import { deviceInName } from './price-file-name.ts'
import { type PriceOptions, parsePriceOptions } from './price-options.ts'
import { createPreviewBuilder, type PreviewBuilder } from './price-preview.ts'
import { createListingIdGenerator } from './price-row.ts'
import { readTitleAliases } from './title-alias-store.ts'

export type PriceImport = {
  readonly source: ByteSource
  readonly context: ImportContext
  readonly options: PriceOptions
  readonly rates: RateLookup
  /** Models that a person assigned to titles, now or before. */
  readonly assigned: ReadonlyMap<string, string>
  /** Of a dry run. */
  readonly preview: PreviewBuilder | undefined
  readonly effect: ReturnType<typeof createPriceEffect> | undefined
  readonly batches: Awaited<ReturnType<typeof openPriceBatches>>
  readonly learner: ReturnType<typeof createTacLearner> | undefined
  readonly listingIdOf: ReturnType<typeof createListingIdGenerator>
  /** What other sheets say about the prices. */
  readonly remarks: string[]
  /** Those of the catalogue, and what the import adds to them. */
  devices: readonly Device[]
  firstPriceOf: FirstPriceRanges
  /** Columns of the file that is read. */
  fileColumns: readonly FileColumn[]
  rowsRead: number
  variantsAdded: number
}

export async function openPriceImport(source: ByteSource, context: ImportContext): Promise<PriceImport> {
  const { db } = context
  const options = parsePriceOptions(context.options)
  const rates = createRateLookup(await exchangeRateStore(db).all())
  const { currency } = options.defaults
  if (currency && !rates.currencies.includes(currency)) throw missingRate('currency', currency, rates.currencies)
  const isOwnList = context.organizationId !== ''
  const effect = context.dryRun || isOwnList ? createPriceEffect(context) : undefined
  if (!context.dryRun && isOwnList && context.options[THESE_DEVICES_ONLY]) await markLocal(db, context.runId)
  const batches = await openPriceBatches(context, () => run.firstPriceOf, effect)
  const run: PriceImport = {
    ...{ source, context, options, rates, effect, batches },
    assigned: new Map([...(await readTitleAliases(db, context.organizationId)), ...options.assigned]),
    preview: context.dryRun ? createPreviewBuilder(options.grades) : undefined,
    // The common market has no organization whose devices these could be.
    learner: isOwnList ? createTacLearner(db) : undefined,
    listingIdOf: createListingIdGenerator(),
    remarks: [],
    devices: await readAllDevices(db),
    firstPriceOf: firstPricesOf([], context.now()),
    fileColumns: [],
    rowsRead: 0,
    variantsAdded: 0,
  }
  return run
}

export function showColumns(run: PriceImport, columns: readonly FileColumn[]): void {
  run.preview?.setColumns(columns)
  run.fileColumns = columns
  run.context.report.setColumns(columns.map(({ name }) => name))
}

/** What is known of a file that cannot be read as it is. */
export function showPartialPreview({ preview, context }: PriceImport): void {
  const partialPreview = preview?.build()
  if (partialPreview && partialPreview.columns.length > 0) context.onPreview(partialPreview)
}

const matchText = ({ devices }: PriceImport, model: string) => matcherOf(devices)({ ...NO_SUBJECT, model })

/** The device that a text names; the text itself if only its size is open. */
export function deviceOf(run: PriceImport, text: string): string | null {
  const match = matchText(run, text)
  if (!('problem' in match)) return match.deviceId
  return match.base?.deviceId ?? (match.problem === STORAGE_MISSING ? text : null)
}

export const findDeviceInName = (run: PriceImport) =>
  deviceInName(run.source.name, run.devices, (phrase) => {
    const match = matchText(run, phrase)
    const subject = 'problem' in match ? match.base : match
    return subject ? [subject.deviceId] : []
  })

const NO_SUBJECT = { variantId: '', sku: '', partNumber: '', make: '', model: '', storage: '', ram: '', color: '' }

export const matcherOf = memoizeWeak((devices: readonly Device[]) => createSubjectMatcher(devices))

export const firstPricesOf = (devices: readonly Device[], now: number): FirstPriceRanges =>
  createFirstPriceRanges(registryOf(devices), now)

export const registryOf = memoizeWeak((devices: readonly Device[]): DeviceRegistry => {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const byCategory = Map.groupBy(devices, ({ category }) => category)
  return {
    findDevice: (id) => byId.get(id),
    findVariant: () => undefined,
    listDevicesOfCategory: (category) => (byCategory.get(category) ?? []).toSorted(compareInListOrder),
  }
})
