import { devicesOnBoard } from '../../src/catalog/onboard.ts'
import { type CellRow, openTable } from '../../src/import/market/price-cells.ts'
import { readPriceOptions } from '../../src/import/market/price-options.ts'
import { priceRowReader, rateTable } from '../../src/import/market/price-row.ts'
import { parseRows } from '../../src/import/read/csv.ts'
import { openSource } from '../../src/import/read/source.ts'
import type { DeviceFacts, Observation, VariantFacts } from '../../src/pricing/engine/observation.ts'
import { deviceFacts, gigabytes } from '../../src/pricing/market/configuration.ts'
import { type FoundSubject, type Named, openSubjects, type SubjectFinder } from '../../src/pricing/market/subject.ts'
import { type PriceSet, plainModel, priceFolder, readLaunches } from './price-set.ts'

/** The options of `import observations`, and a file of exchange rates as `import rates` takes it. */
export type FileOptions = Readonly<Record<string, string>> & { readonly rates?: string }

/** A device that is only not on board is judged all the same; what is no device, or cannot be told, is not. */
const STRANGE = new Set(['unknown model', 'unknown make', 'the model has no such storage'])

/** Only a number that says it is one, or stands apart, is a storage: a Galaxy S20 is not a Galaxy S. */
export function strangerModel(text: string, storage: string): { model: string; size: number } {
  const named = /[|/ -]*\b(\d+\s?[gt]b)\b/i.exec(text) ?? /[|/]\s*(\d+)$/.exec(text)
  return {
    model: plainModel(named ? text.replace(named[0], ' ') : text),
    size: gigabytes(storage) ?? gigabytes(named?.[1] ?? '') ?? 0,
  }
}

/**
 * Any file in the observation format, read by the importer's own rules. A device the registry does not know is judged too:
 * it becomes one without launch price, unless the list of launch prices has it.
 */
export async function readPriceFile(
  path: string,
  options: FileOptions,
): Promise<{ set: PriceSet; refused: ReadonlyMap<string, number> }> {
  const onBoard = devicesOnBoard()
  const known = openSubjects(onBoard)
  const folder = priceFolder()
  const launches = folder ? await readLaunches(folder) : new Map()
  const strangers = new Map<string, { make: string; launch: string; variants: Map<string, VariantFacts> }>()
  const findSubject: SubjectFinder = (named) => {
    const found = known(named)
    return 'problem' in found && STRANGE.has(found.problem) ? stranger(named) : found
  }
  function stranger(named: Named): FoundSubject {
    const text = named.model || named.variantId || named.sku || named.partNumber
    const { model, size } = strangerModel(text, named.storage)
    const deviceId = `${named.make.toLowerCase()} ${model}`.trim()
    const device = strangers.get(deviceId) ?? { make: named.make, launch: model, variants: new Map() }
    strangers.set(deviceId, device)
    const configuration = `${size}`
    const listCents = launches.get(model)?.listCentsByGb.get(size) ?? null
    device.variants.set(configuration, { variantId: configuration, storageGb: size || null, listCents })
    return { deviceId, configuration, variantId: null, listCents: 0, lock: '' }
  }
  const refused = new Map<string, number>()
  const refuse = (why: string) => refused.set(why, (refused.get(why) ?? 0) + 1)
  const newest = new Map<string, Observation & { deviceId: string }>()
  let unnamed = 0
  const { rates, ...said } = options
  const priceOptions = readPriceOptions(said)
  const { layout, blocks } = await openTable(
    await openSource(path),
    { note: (line) => console.error(line) },
    priceOptions.map,
  )
  const readRow = priceRowReader({
    ...priceOptions,
    findSubject,
    // Errors are shares of the price, so a file in one currency at one time is judged without rates as well.
    rateOf: rates === undefined ? () => 1 : rateTable(await readRates(rates)),
    now: Date.now(),
    defaults: { source: 'file', currency: 'USD', ...layout.implied, ...priceOptions.defaults },
  })
  const keep = ({ cells, problem }: CellRow) => {
    const row = cells ? readRow(cells) : { problem: problem ?? 'not a row' }
    if ('problem' in row) {
      refuse(row.problem)
      return
    }
    unnamed += 1
    const key = row.listingId === '' ? `row ${unnamed}` : `${row.source}\t${row.listingId}`
    const before = newest.get(key)
    if (before && before.observedAt > row.observedAt) return
    const { subject, terms, ...said } = row
    newest.set(key, {
      ...said,
      ...terms,
      deviceId: subject.deviceId,
      variantId: `${subject.deviceId}|${subject.configuration}`,
    })
  }
  for await (const block of blocks) block.forEach(keep)
  const observations = [...newest.values()]
  const seen = new Set(observations.map(({ deviceId }) => deviceId))
  const devices: DeviceFacts[] = onBoard.filter(({ id }) => seen.has(id)).map((device) => deviceFacts(device))
  for (const [deviceId, { make, launch, variants }] of strangers) {
    if (!seen.has(deviceId)) continue
    devices.push({
      deviceId,
      make,
      category: '',
      releasedAt: launches.get(launch)?.releasedAt ?? null,
      variants: [...variants.values()],
    })
  }
  // The judge tells variants of different devices apart by one id.
  const apart = devices.map((device) => ({
    ...device,
    variants: device.variants.map((v) => ({ ...v, variantId: `${device.deviceId}|${v.variantId}` })),
  }))
  return { set: { name: path, devices: apart, observations }, refused }
}

async function readRates(path: string): Promise<{ currency: string; day: string; usd: number }[]> {
  const [header = [], ...rows] = parseRows(await Bun.file(path).text())
  const at = (name: string) => header.indexOf(name)
  return rows.map((row) => ({
    currency: row[at('currency')] ?? '',
    day: row[at('day')] ?? '',
    usd: Number(row[at('usd')]),
  }))
}
