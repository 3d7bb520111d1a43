import { devicesOnBoard } from '../../src/catalog/onboard.ts'
import { type CellRow, readCells } from '../../src/import/market/observation-cells.ts'
import { observationRowReader } from '../../src/import/market/observation-row.ts'
import { openSource } from '../../src/import/read/source.ts'
import type { DeviceFacts, Observation, VariantFacts } from '../../src/pricing/engine/observation.ts'
import { deviceFacts, gigabytes } from '../../src/pricing/market/configuration.ts'
import { type Named, type Resolver, variantResolver } from '../../src/pricing/market/resolution.ts'
import { type PriceSet, plainModel, priceFolder, readLaunches } from './price-set.ts'

export type FileOptions = { readonly source?: string; readonly side?: string; readonly currency?: string }

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
  const known = variantResolver(onBoard)
  const folder = priceFolder()
  const launches = folder ? await readLaunches(folder) : new Map()
  const strangers = new Map<string, { make: string; launch: string; variants: Map<string, VariantFacts> }>()
  const resolve: Resolver = (named) => {
    const found = known(named)
    return 'problem' in found ? stranger(named) : found
  }
  function stranger(named: Named): ReturnType<Resolver> {
    const text = named.model || named.variantId || named.sku || named.partNumber
    if (!text) return { problem: 'the row names no variant, SKU, part number or model', detail: '' }
    const { model, size } = strangerModel(text, named.storage)
    const deviceId = `${named.make.toLowerCase()} ${model}`.trim()
    const device = strangers.get(deviceId) ?? { make: named.make, launch: model, variants: new Map() }
    strangers.set(deviceId, device)
    const configuration = `${size}`
    const listCents = launches.get(model)?.listCentsByGb.get(size) ?? null
    device.variants.set(configuration, { variantId: configuration, storageGb: size || null, listCents })
    return { deviceId, configuration, variantId: null, listCents: 0 }
  }
  const refused = new Map<string, number>()
  const refuse = (why: string) => refused.set(why, (refused.get(why) ?? 0) + 1)
  const newest = new Map<string, Observation & { deviceId: string }>()
  let unnamed = 0
  // One file is one currency at one time: errors are shares of the price, so no rate is needed to judge it.
  const readRow = observationRowReader({
    resolve,
    rateOf: () => 1,
    now: Date.now(),
    defaults: { source: 'file', currency: 'USD', ...options },
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
  for await (const block of readCells(await openSource(path), { note: (line) => console.error(line) })) {
    block.forEach(keep)
  }
  const observations = [...newest.values()]
  const seen = new Set(observations.map(({ deviceId }) => deviceId))
  const devices: DeviceFacts[] = onBoard.filter(({ id }) => seen.has(id)).map(deviceFacts)
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
