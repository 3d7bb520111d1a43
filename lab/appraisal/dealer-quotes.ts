import { join } from 'node:path'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import type { Device, Variant } from '../../src/catalog/device.ts'
import type { Condition } from '../../src/contract/condition-grades.ts'
import type { DefectCode } from '../../src/contract/defect-catalogue.ts'
import { readTable } from '../pricing/csv-table.ts'
import { normalizeModel } from '../pricing/price-set.ts'

export const QUOTE_CLASSES = ['working', 'worn', 'damaged', 'broken', 'dead'] as const
export type QuoteClass = (typeof QUOTE_CLASSES)[number]

/** A dealer's quote for a device in one condition, with the inputs of the corresponding appraisal. */
export type DealerQuote = {
  readonly class: QuoteClass
  /** The dealer's own word. */
  readonly word: string
  readonly device: Device
  readonly variant: Variant
  readonly condition: Condition
  readonly defects: readonly DefectCode[]
  readonly paidUsd: number
  /** What the same dealer pays for a Good one. */
  readonly goodUsd: number
  readonly at: number
}

type State = Pick<DealerQuote, 'class' | 'condition' | 'defects'>
const working = (condition: Condition): State => ({ class: 'working', condition, defects: [] })

/** `damaged`: one cracked part; `broken`: several faults; `no power`: nothing can be tested. */
const SHOP_STATES: Readonly<Record<string, State>> = {
  flawless: working('Excellent'),
  good: working('Good'),
  fair: working('Fair'),
  damaged: { class: 'damaged', condition: 'Good', defects: ['cracked_screen'] },
  broken: { class: 'broken', condition: 'Good', defects: ['cracked_screen', 'cracked_back', 'weak_battery'] },
  noPower: { class: 'dead', condition: 'Good', defects: ['no_power'] },
}
/** Grade C lies between our Fair and Poor; grade D powers on and has cracked glass. */
const WHOLESALE_STATES: Readonly<Record<string, State>> = {
  A: working('Excellent'),
  'B+': working('Good'),
  B: working('Good'),
  C: { ...working('Fair'), class: 'worn' },
  D: { class: 'damaged', condition: 'Good', defects: ['cracked_screen'] },
}

const key = (name: string) =>
  normalizeModel(name.replace(/\(20(20|22)\)/, '20$1'))
    .replace(/\+/g, ' plus')
    .replace(/[^a-z0-9]/g, '')

function catalogueIndex(): (
  make: string,
  model: string,
  storage: string,
) => { device: Device; variant: Variant } | undefined {
  const byName = new Map<string, Device>()
  for (const device of bundledDevices()) {
    if (device.category === 'Smartphone' && (device.make === 'Apple' || device.make === 'Samsung')) {
      byName.set(key(device.name.replace(/\((\w+) generation\)/, '$1')), device)
    }
  }
  return (make, model, storage) => {
    const name = model.replaceAll('"', '').replace(/\b(\d+)E\b/, '$1e')
    const device = byName.get(key(make === 'Samsung' && !/galaxy/i.test(name) ? `Galaxy ${name}` : name))
    const storageText = storage.replace(/\s/g, '').toUpperCase()
    const variant = device?.variants.find(({ attributes }) =>
      attributes.some(({ value }) => value.toUpperCase() === storageText),
    )
    return device && variant && { device, variant }
  }
}

type ShopModel = {
  readonly brand: string
  readonly name: string
  readonly prices: readonly {
    readonly storageSize: string
    readonly priceValue: { readonly unlocked?: Readonly<Record<string, number>> }
  }[]
}

/** A US trade-in shop; unlocked devices only. */
export async function readShopQuotes(folder: string): Promise<DealerQuote[]> {
  const find = catalogueIndex()
  const models = (await Bun.file(join(folder, 'secondhandcell_half/quotes.json')).json()) as ShopModel[]
  const at = Date.parse('2026-06-15')
  return models.flatMap(({ brand, name, prices }) =>
    prices.flatMap(({ storageSize, priceValue: { unlocked = {} } }) => {
      const match = find(brand === 'samsung' ? 'Samsung' : 'Apple', name, storageSize)
      const goodUsd = unlocked.good
      if (!match || !goodUsd) return []
      return Object.entries(unlocked).flatMap(([word, paidUsd]) => {
        const state = SHOP_STATES[word]
        return state && paidUsd > 0 ? [{ ...state, word, ...match, paidUsd, goodUsd, at }] : []
      })
    }),
  )
}

/** US wholesale lists; the list of 2025-08-07 has two prices for one key. */
export async function readWholesaleQuotes(folder: string): Promise<DealerQuote[]> {
  const find = catalogueIndex()
  const rows = readTable(await Bun.file(join(folder, 'refit_wholesale_us/quotes.csv')).text()).filter(
    (row) => row.list_date !== '2025-08-07' && row.lock_status === 'Unlocked',
  )
  const keyOf = (row: Record<string, string>) => [row.list_date, row.vendor, row.model, row.storage].join('|')
  const good = new Map(rows.filter(({ grade }) => grade === 'B').map((row) => [keyOf(row), Number(row.price_usd)]))
  return rows.flatMap((row) => {
    const { model = '', storage = '', grade = '', list_date = '' } = row
    const match = find(/galaxy/i.test(model) ? 'Samsung' : 'Apple', model, storage)
    const state = WHOLESALE_STATES[grade]
    const goodUsd = good.get(keyOf(row))
    const paidUsd = Number(row.price_usd)
    if (!match || !state || !goodUsd || !(paidUsd > 0)) return []
    return [{ ...state, word: grade, ...match, paidUsd, goodUsd, at: Date.parse(list_date) }]
  })
}
