import { devicesOnBoard } from '../../src/catalog/onboard.ts'
import { readObservationRow } from '../../src/import/observation-row.ts'
import { readCells } from '../../src/import/observations.ts'
import { openSource } from '../../src/import/source.ts'
import type { Rung } from '../../src/pricing/condition.ts'
import { deviceFacts, gigabytes } from '../../src/pricing/configuration.ts'
import type { DeviceFacts, ListingState, Observation, Side, VariantFacts } from '../../src/pricing/observation.ts'
import { type Named, type Resolver, variantResolver } from '../../src/pricing/resolution.ts'
import { type PriceSet, plainModel, priceFolder, readLaunches } from './datasets.ts'

export type FileOptions = { readonly source?: string; readonly side?: string; readonly currency?: string }

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
    const size = gigabytes(named.storage) ?? gigabytes(/\d+\s?[gt]b\b/i.exec(text)?.[0] ?? '') ?? 0
    const model = plainModel(text.replace(/[|/ -]*\d+\s?([gt]b\b|$)/i, ' '))
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
  for await (const { cells, problem } of readCells(await openSource(path), { note: (line) => console.error(line) })) {
    if (!cells) {
      refuse(problem ?? 'not a row')
      continue
    }
    // One file is one currency at one time: errors are shares of the price, so no rate is needed to judge it.
    const rules = {
      resolve,
      rateOf: () => 1,
      now: Date.now(),
      defaults: { source: 'file', currency: 'USD', ...options },
    }
    const reading = readObservationRow(cells, rules)
    if ('problem' in reading) {
      refuse(reading.problem)
      continue
    }
    const { row } = reading
    unnamed += 1
    const key = row.listing_id === '' ? `row ${unnamed}` : `${row.source}\t${row.listing_id}`
    const before = newest.get(key)
    if (before && before.observedAt > row.observed_at) continue
    newest.set(key, {
      source: row.source,
      side: row.side as Side,
      deviceId: row.device_id,
      variantId: `${row.device_id}|${row.configuration}`,
      rung: row.rung as Rung,
      label: row.label,
      lock: row.lock,
      cents: row.cents,
      observedAt: row.observed_at,
      listingId: row.listing_id,
      state: row.state as ListingState,
      listedAt: row.listed_at,
    })
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
