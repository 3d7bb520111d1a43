/** `--add-variants`: rows of sizes that known devices are not listed with wait, until those sizes are in the registry. */
import type { Attribute, Device } from '../../catalog/device.ts'
import type { NewSize } from '../../pricing/market/subject.ts'
import { openLoad, openRegistry } from '../catalogue/load.ts'
import { sameAttributes } from '../catalogue/merge-variants.ts'
import { marketOrigin } from '../catalogue/origins.ts'
import type { ImportContext } from '../importer.ts'
import { inTurn } from '../turn.ts'
import { newVariants } from './new-variants.ts'
import type { WrittenRow } from './price-cells.ts'
import type { Cells } from './price-columns.ts'

/** More rows of new sizes than any list should have; those beyond are refused. */
const MOST_WAITING = 100_000

type Wanted = {
  readonly device: Device
  readonly attributes: readonly Attribute[]
  /** The market that spoke of it first. */
  readonly source: string
  rows: number
}

export type VariantAdder = ReturnType<typeof openVariantAdder>

export type PriceRow = { readonly line: number; readonly cells: Cells; readonly written: WrittenRow }

export function openVariantAdder(context: ImportContext, devices: readonly Device[]) {
  const variantOf = newVariants(devices)
  const wanted = new Map<string, Wanted>()
  const waiting: PriceRow[] = []

  /** Keeps the row back, or says why its size is not believed. */
  function want(row: PriceRow, size: NewSize, source: string): string | null {
    const variant = variantOf(size)
    if ('problem' in variant) return variant.problem
    if (waiting.length >= MOST_WAITING) return 'too many rows of sizes that are not in the registry'
    waiting.push(row)
    const { device } = size
    const { attributes } = variant
    const key = [device.id, ...attributes.map(({ value }) => value)].join('\n')
    const known = wanted.get(key)
    if (known) known.rows++
    else wanted.set(key, { device, attributes, source, rows: 1 })
    return null
  }

  /** Puts what is wanted into the registry, as any list would; of the rows that waited then all can be read. */
  async function add(): Promise<{ devices: readonly Device[]; rows: readonly PriceRow[]; added: number }> {
    const registry = await openRegistry(context.db)
    const load = openLoad(registry, context)
    let added = 0
    for (const { device, attributes, source, rows } of wanted.values()) {
      const before = registry.get(device.id)
      // Another import may have taken the device away meanwhile; its rows are refused then.
      if (!before) continue
      load.add({
        id: device.id,
        make: before.make,
        name: before.name,
        source: 'inferred',
        variants: [{ attributes, source: marketOrigin(source) }],
        line: 0,
      })
      const variant = registry.get(device.id)?.variants.find((one) => sameAttributes(one.attributes, attributes))
      if (!variant || before.variants.some(({ id }) => id === variant.id)) continue
      added++
      context.report.added(variant.id, rows)
    }
    await load.finish()
    return { devices: devices.map((device) => registry.get(device.id) ?? device), rows: waiting, added }
  }

  return {
    want,
    isWanted: () => wanted.size > 0,
    /** Waits for its turn where another import rewrites the catalogue. */
    finish: () => {
      if (context.dryRun) return add()
      return inTurn(
        (work, onWait) => context.db.alone('import-catalogue', work, onWait),
        add,
        () => context.note('Another import into the catalogue is running; sizes are added when it has ended.'),
        context.signal,
      )
    },
  }
}
