import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { parseGrade } from '../../src/catalog/grade-words.ts'
import { toDeviceInput } from '../../src/pricing/configuration.ts'
import { DEFAULT_MARKET } from '../../src/pricing/country-market.ts'
import type { DeviceInput, Observation, VariantInput } from '../../src/pricing/model/observation.ts'
import { readTable } from './csv-table.ts'

/** A set of real prices as model input, with its devices. */
export type PriceDataset = {
  readonly name: string
  readonly devices: readonly DeviceInput[]
  readonly observations: readonly Observation[]
}

export type Launch = { releasedAt: number; listCentsByGb: Map<number, number> }

/** The folder of real price sets, which are not part of the project; for evaluation only. */
export function findDatasetFolder(): string | undefined {
  const root = resolve(import.meta.dir, '../..')
  const candidates = [process.env.SHARED_DATA, join(root, '../shared/data'), join(root, '../../shared/data')]
  return candidates
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'prices'))
    .find((folder) => existsSync(folder))
}

export const normalizeModel = (model: string) =>
  model
    .toLowerCase()
    .replace(/^apple\s+/, '')
    .replace(/-/g, ' ')
    .replace(/\(?\b2nd( gen\w*)?\)?/, '2020')
    .replace(/\(?\b3rd( gen\w*)?\)?/, '2022')
    .replace(/\bse 2016\b/, 'se')
    .replace(/\b17 air\b|\bair 2025\b/, 'air')
    .replace(/\s+/g, ' ')
    .trim()

export async function readLaunches(folder: string): Promise<Map<string, Launch>> {
  const launches = new Map<string, Launch>()
  for (const row of readTable(await Bun.file(join(folder, 'launch_prices.csv')).text())) {
    const model = normalizeModel(row.model ?? '')
    const launch = launches.get(model) ?? { releasedAt: Date.parse(row.release_date ?? ''), listCentsByGb: new Map() }
    launch.listCentsByGb.set(Number(row.storage_gb), Number(row.launch_usd) * 100)
    launches.set(model, launch)
  }
  return launches
}

/** Sets write "Galaxy S23 Plus", "Samsung Galaxy S23+ 5G" and "S23+". */
const looseName = (model: string) =>
  model
    .replace(/^samsung\b|\bgalaxy\b|\b5g$/g, '')
    .replace(/\+/g, 'plus')
    .replace(/[^a-z0-9]/g, '')

/** Launch prices of the models of a set, from the list of launch prices or from the bundled catalogue. */
function withCatalogue(
  known: ReadonlyMap<string, Launch>,
  models: ReadonlyMap<string, { readonly make: string }>,
): ReadonlyMap<string, Launch> {
  const launches = new Map(known)
  const missing = new Map(
    [...models.keys()].filter((model) => !known.has(model)).map((model) => [looseName(model), model]),
  )
  if (missing.size === 0) return launches
  for (const device of bundledDevices()) {
    const names = [`${device.make} ${device.name}`, device.name].map(normalizeModel)
    const name = names.map((candidate) => missing.get(looseName(candidate))).find((model) => model !== undefined)
    if (!name || launches.has(name) || device.releasedOn === null) continue
    const { variants } = toDeviceInput(device)
    const listed = variants.filter((variant) => variant.listCents !== null)
    if (!listed.length) continue
    launches.set(name, {
      releasedAt: Date.parse(device.releasedOn),
      listCentsByGb: new Map(
        listed
          .sort((a, b) => (b.listCents as number) - (a.listCents as number))
          .map((variant) => [variant.storageGb ?? 0, variant.listCents as number]),
      ),
    })
  }
  return launches
}

/** Collects observations and adds devices and storage sizes as they appear. */
export function datasetBuilder(name: string, known: ReadonlyMap<string, Launch>) {
  const devices = new Map<string, { make: string; category: string; storages: Map<number, VariantInput> }>()
  const observations: Observation[] = []
  return {
    add(row: {
      make?: string
      category?: string
      model: string
      storageGb?: number
      grade: string
      usd: number
      side: Observation['side']
      at: number
      lock?: string
      source?: string
      market?: string
      listingId?: string
      state?: Observation['state']
    }): boolean {
      const grade = parseGrade(row.grade)
      const cents = Math.round(row.usd * 100)
      if (!grade || !(cents > 0) || !Number.isFinite(row.at)) return false
      const model = normalizeModel(row.model)
      const storage = row.storageGb ?? 0
      const device = devices.get(model) ?? {
        make: row.make ?? (/^(iphone|ipad|macbook)/.test(model) ? 'Apple' : ''),
        category: row.category ?? 'Smartphones',
        storages: new Map<number, VariantInput>(),
      }
      devices.set(model, device)
      const variantId = `${model}|${storage}`
      if (!device.storages.has(storage)) {
        device.storages.set(storage, {
          variantId,
          listCents: null,
          storageGb: storage || null,
        })
      }
      observations.push({
        source: row.source ?? name,
        market: row.market ?? DEFAULT_MARKET,
        side: row.side,
        variantId,
        grade: grade.grade,
        label: grade.label,
        lock: row.lock ?? '',
        cents,
        observedAt: row.at,
        listingId: row.listingId ?? `${observations.length}`,
        state: row.state ?? (row.side === 'sold' ? 'sold' : 'active'),
        listedAt: null,
      })
      return true
    },
    finish(): PriceDataset {
      const launches = withCatalogue(known, devices)
      for (const [model, { storages }] of devices) {
        for (const [gb, facts] of storages) {
          const listCents = launches.get(model)?.listCentsByGb.get(gb) ?? null
          storages.set(gb, { ...facts, listCents })
        }
      }
      // Storage sizes without rows still belong to the device: their launch prices are known.
      for (const [model, device] of devices) {
        for (const [gb, listCents] of launches.get(model)?.listCentsByGb ?? []) {
          if (!device.storages.has(gb)) {
            device.storages.set(gb, { variantId: `${model}|${gb}`, listCents, storageGb: gb })
          }
        }
      }
      return {
        name,
        observations,
        devices: [...devices].map(([model, device]) => ({
          deviceId: model,
          make: device.make,
          category: device.category,
          releasedAt: launches.get(model)?.releasedAt ?? null,
          variants: [...device.storages.values()].sort((a, b) => (a.storageGb ?? 0) - (b.storageGb ?? 0)),
        })),
      }
    },
  }
}
