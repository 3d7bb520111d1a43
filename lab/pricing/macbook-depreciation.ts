import { join } from 'node:path'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import type { Device, Variant } from '../../src/catalog/device.ts'
import { YEAR_MS } from '../../src/lib/time.ts'
import { median } from '../../src/pricing/model/quantile.ts'
import { readTable } from './csv-table.ts'

/** Sale price of a model in Good as a share of its launch price (ln), and its age in years. */
export type ModelDepreciation = {
  readonly deviceId: string
  readonly age: number
  readonly share: number
  readonly rows: number
}

/** The crawl has models that came out in October 2025. */
const CRAWLED_AT = Date.parse('2025-11-15')
const USD_PER_GBP = 1.31
const BRITISH_TAX = 1.2
/** The chain has the grades A, B and C; B is our Good. */
const GOOD_GRADE = 'B'

/** Compares a chain's MacBook prices in Good, without tax, with the launch prices of the same bundled configurations. */
export async function macbookDepreciation(folder: string, askOverSold: number): Promise<ModelDepreciation[]> {
  const byIdentifier = Map.groupBy(
    [...bundledDevices()].flatMap((device) =>
      device.category === 'Laptop' ? device.modelIdentifiers.map((id) => ({ id, device })) : [],
    ),
    ({ id }) => id,
  )
  const shares = new Map<Device, number[]>()
  for (const row of readTable(await Bun.file(join(folder, 'cex_macbooks_uk/listings.csv')).text())) {
    if (row.grade !== GOOD_GRADE) continue
    const [name = '', ...parts] = (row.title ?? '').split('/').map((part) => part.trim())
    const candidates =
      byIdentifier.get(identifierOf(name)) ?? byIdentifier.get(identifierOf(name).replace(/Book(Pro|Air)/, ''))
    // One identifier may belong to models of two years: the age is then unknown.
    const device = candidates?.length === 1 ? candidates[0]?.device : undefined
    const variant = device?.variants.find((candidate) => candidate.listCents > 0 && matchesTitle(candidate, parts))
    if (!device || !variant) continue
    const cents = (Number(row.sell_price_gbp) * 100 * USD_PER_GBP) / BRITISH_TAX
    shares.set(device, [...(shares.get(device) ?? []), Math.log(cents / variant.listCents) - askOverSold])
  }
  return [...shares].flatMap(([{ id, releasedOn }, lnShares]) =>
    releasedOn
      ? {
          deviceId: id,
          age: (CRAWLED_AT - Date.parse(releasedOn)) / YEAR_MS,
          share: median(lnShares),
          rows: lnShares.length,
        }
      : [],
  )
}

/** "Apple Macbook Pro 14,1" is `MacBookPro14,1`. */
const identifierOf = (name: string) =>
  name
    .replace(/^apple\s+/i, '')
    .replace(/macbook/i, 'MacBook')
    .replace(/\s+/g, '')

const gigabytes = (text: string) => {
  const match = /(\d+)\s*(GB|TB)/i.exec(text)
  return match ? Number(match[1]) * (match[2]?.toUpperCase() === 'TB' ? 1024 : 1) : undefined
}

/** The title's parts: chip, memory, storage, screen, colour. */
function matchesTitle({ attributes }: Variant, parts: readonly string[]): boolean {
  const [ram, storage] = parts.slice(1).flatMap((part) => gigabytes(part) ?? [])
  const chip = (parts[0] ?? '').replace(/ \(.*/, '').toLowerCase()
  return attributes.every(({ name, value }) => {
    if (name === 'ram') return gigabytes(value) === ram
    if (name === 'storage') return gigabytes(value) === storage
    if (name === 'chip') return value.replace(/ \(.*/, '').toLowerCase() === chip
    return true
  })
}
