import { type Device, type Variant, variantIdFor } from '../../src/catalog/device.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'

const GRADES = ['Excellent', 'very good', 'B', 'Good', 'Fair', 'for parts']

/** Storage sizes of a synthetic device, one variant each. */
export const STORAGES = ['64GB', '128GB', '256GB', '512GB']

/** A synthetic phone; the same number always gives the same phone. */
export function syntheticDevice(number: number): Device {
  const make = number % 3 ? 'Samsung' : 'Apple'
  const id = `${make.toLowerCase()}-bench-${number}`
  return {
    id,
    name: `Bench ${number}`,
    make,
    category: 'Smartphone',
    modelNumbers: [],
    modelIdentifiers: [],
    specifications: {},
    releasedOn: `${2019 + (number % 6)}-0${1 + (number % 9)}-15`,
    releasePrecision: 'day',
    status: 'active',
    variants: STORAGES.map((storage, at) => {
      const attributes = [{ name: 'storage', value: storage }]
      return {
        id: variantIdFor(id, attributes),
        sku: `${id}-${storage}`.toUpperCase(),
        name: `Bench ${number} ${storage}`,
        listCents: 60_000 + (number % 60) * 1_000 + at * 10_000,
        partNumbers: [],
        modelNumbers: [],
        attributes,
        disabled: false,
      }
    }),
  }
}

/** Writes synthetic prices as a CSV file: devices in random order, listing numbers ascending. */
export async function writeSyntheticMarket(path: string, variants: readonly Variant[], rows: number): Promise<void> {
  const daysAgo = Array.from({ length: 180 }, (_, days) => dayOf(Date.now() - days * DAY_MS))
  const writer = Bun.file(path).writer()
  writer.write('source,side,variant_id,condition,amount,currency,date,listing_id,state\n')
  for (let at = 0; at < rows; at += 1) {
    const variant = variants[(at * 7_919) % variants.length] as Variant
    const share = 0.35 + ((at * 31) % 100) / 500
    const side = at % 5 ? (at % 2 ? 'sold' : 'ask') : 'quote'
    writer.write(
      `market-${at % 3},${side},${variant.id},${GRADES[at % 6]},${((variant.listCents * share) / 100).toFixed(2)},USD,${daysAgo[(at * 13) % 180]},${400_000_000_000 + at},${side === 'sold' ? 'sold' : 'active'}\n`,
    )
  }
  await writer.end()
}
