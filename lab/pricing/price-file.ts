import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { isDefectGrade } from '../../src/catalog/grade.ts'
import { createRateLookup, type RateLookup } from '../../src/currency/rate-lookup.ts'
import { parsePriceOptions } from '../../src/import/prices/price-options.ts'
import { createPriceRowParser } from '../../src/import/prices/price-row.ts'
import { type CellRow, openPriceTable } from '../../src/import/prices/price-table.ts'
import { openByteSource } from '../../src/import/read/byte-source-service.ts'
import { parseCsv } from '../../src/import/read/csv-reader.ts'
import { toDeviceInput } from '../../src/pricing/configuration.ts'
import { DEFAULT_MARKET } from '../../src/pricing/country-market.ts'
import type { DeviceInput, Observation, VariantInput } from '../../src/pricing/model/observation.ts'
import {
  createSubjectMatcher,
  type SubjectMatch,
  type SubjectMatcher,
  type SubjectQuery,
} from '../../src/pricing/observations/subject-matcher.ts'
import { gigabytesFromText } from '../../src/text/sizes.ts'
import { findDatasetFolder, normalizeModel, type PriceDataset, readLaunches } from './price-set.ts'

/** The options of `import observations`, and a file of exchange rates in the format of `import rates`. */
export type FileOptions = Readonly<Record<string, string>> & { readonly rates?: string }

/** Errors are relative to the price, so a file in one currency at one time can be evaluated without rates. */
const ANY_RATE: RateLookup = { find: (_, day) => ({ day, usd: 1, source: 'imported' }), currencies: [] }

/** Rows rejected for these reasons name a device that the catalogue lacks: they are evaluated too. */
const UNKNOWN_DEVICE_REASONS = new Set(['unknown_model', 'unknown_make', 'storage_not_of_model'])

/** A number is a storage size only with a unit or after a separator: a Galaxy S20 is not a Galaxy S. */
export function parseUnknownModel(text: string, storage: string): { model: string; size: number } {
  const storageMatch = /[|/ -]*\b(\d+\s?[gt]b)\b/i.exec(text) ?? /[|/]\s*(\d+)$/.exec(text)
  return {
    model: normalizeModel(storageMatch ? text.replace(storageMatch[0], ' ') : text),
    size: gigabytesFromText(storage) ?? gigabytesFromText(storageMatch?.[1] ?? '') ?? 0,
  }
}

/**
 * Reads any file in the observation format by the rules of the importer. Devices that the catalogue lacks are evaluated too,
 * with a launch price only if the list of launch prices has them.
 */
export async function readPriceFile(
  path: string,
  options: FileOptions,
): Promise<{ set: PriceDataset; rejected: ReadonlyMap<string, number> }> {
  const bundled = bundledDevices()
  const matchBundled = createSubjectMatcher(bundled)
  const folder = findDatasetFolder()
  const launches = folder ? await readLaunches(folder) : new Map()
  const unknownDevices = new Map<string, { make: string; launch: string; variants: Map<string, VariantInput> }>()
  const findSubject: SubjectMatcher = (query) => {
    const match = matchBundled(query)
    return 'problem' in match && UNKNOWN_DEVICE_REASONS.has(match.problem) ? unknownDevice(query) : match
  }
  function unknownDevice(query: SubjectQuery): SubjectMatch {
    const text = query.model || query.variantId || query.sku || query.partNumber
    const { model, size } = parseUnknownModel(text, query.storage)
    const deviceId = `${query.make.toLowerCase()} ${model}`.trim()
    const device = unknownDevices.get(deviceId) ?? { make: query.make, launch: model, variants: new Map() }
    unknownDevices.set(deviceId, device)
    const configuration = `${size}`
    const listCents = launches.get(model)?.listCentsByGb.get(size) ?? null
    device.variants.set(configuration, { variantId: configuration, storageGb: size || null, listCents })
    return { deviceId, configuration, variantId: null, listCents: 0, lock: '' }
  }
  const rejected = new Map<string, number>()
  const reject = (reason: string) => rejected.set(reason, (rejected.get(reason) ?? 0) + 1)
  const newest = new Map<string, Observation & { deviceId: string }>()
  let rowNumber = 0
  const { rates, ...importOptions } = options
  const priceOptions = parsePriceOptions(importOptions)
  const { layout, blocks } = await openPriceTable(
    await openByteSource(path),
    { notify: (line) => console.error(line) },
    priceOptions.map,
    () => {},
    { needsModel: priceOptions.defaults.model === undefined },
  )
  const readRow = createPriceRowParser({
    ...priceOptions,
    findSubject,
    rates: rates === undefined ? ANY_RATE : createRateLookup(await readRates(rates)),
    now: Date.now(),
    defaultMarket: DEFAULT_MARKET,
    firstPriceOf: () => null,
    defaults: { source: 'file', currency: 'USD', ...layout.implied, ...priceOptions.defaults },
  })
  const addRow = ({ cells, problem }: CellRow) => {
    const row = cells ? readRow(cells) : { problem: problem ?? 'not_a_row' }
    if ('problem' in row) {
      reject(row.problem)
      return
    }
    const { grade } = row.terms
    if (isDefectGrade(grade)) {
      reject('defective device')
      return
    }
    rowNumber += 1
    const key = row.listingId === '' ? `row ${rowNumber}` : `${row.source}\t${row.listingId}`
    const earlier = newest.get(key)
    if (earlier && earlier.observedAt > row.observedAt) return
    const { subject, terms, ...fields } = row
    newest.set(key, {
      ...fields,
      ...terms,
      grade,
      deviceId: subject.deviceId,
      variantId: `${subject.deviceId}|${subject.configuration}`,
    })
  }
  for await (const block of blocks) block.forEach(addRow)
  const observations = [...newest.values()]
  const deviceIds = new Set(observations.map(({ deviceId }) => deviceId))
  const devices: DeviceInput[] = bundled.filter(({ id }) => deviceIds.has(id)).map((device) => toDeviceInput(device))
  for (const [deviceId, { make, launch, variants }] of unknownDevices) {
    if (!deviceIds.has(deviceId)) continue
    devices.push({
      deviceId,
      make,
      category: '',
      releasedAt: launches.get(launch)?.releasedAt ?? null,
      variants: [...variants.values()],
    })
  }
  // The evaluation needs variant ids that are unique across devices.
  const withUniqueIds = devices.map((device) => ({
    ...device,
    variants: device.variants.map((v) => ({ ...v, variantId: `${device.deviceId}|${v.variantId}` })),
  }))
  return { set: { name: path, devices: withUniqueIds, observations }, rejected }
}

/** Rate at the time of the crawl, which has models of October 2025. */
const USD_PER_GBP = 1.31

/** The UK chain's MacBooks, matched to the catalogue by the importer, because first prices need launch prices. */
export async function catalogueMacbooks(folder: string): Promise<PriceDataset> {
  const { set } = await readPriceFile(`${folder}/cex_macbooks_uk/listings.csv`, {
    side: 'ask',
    date: '2025-11-15',
    market: 'gb',
  })
  const observations = set.observations.map((row) => ({ ...row, cents: Math.round(row.cents * USD_PER_GBP) }))
  return { ...set, name: 'cex_macbooks_uk', observations }
}

async function readRates(path: string): Promise<{ currency: string; day: string; usd: number }[]> {
  const [header = [], ...rows] = parseCsv(await Bun.file(path).text())
  const columnOf = (name: string) => header.indexOf(name)
  return rows.map((row) => ({
    currency: row[columnOf('currency')] ?? '',
    day: row[columnOf('day')] ?? '',
    usd: Number(row[columnOf('usd')]),
  }))
}
