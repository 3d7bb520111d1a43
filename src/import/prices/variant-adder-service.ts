/**
 * Adds missing storage and memory sizes of known devices; rows with such sizes wait until then. Of computers, which are built to
 * order, always; of other devices with `--add-variants`.
 */
import { type Attribute, type Device, isBuiltToOrder } from '../../catalog/device.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import type { MissingVariant } from '../../pricing/observations/subject-matcher.ts'
import { loadImportRegistry, openCatalogueWriter } from '../catalogue/catalogue-writer-service.ts'
import { type FactOrigin, marketOrigin } from '../catalogue/fact-origins.ts'
import { attributesKey } from '../catalogue/merge-variants.ts'
import { withImportLock } from '../import-lock.ts'
import type { ImportContext } from '../importer.ts'
import { createVariantInference } from './new-variants.ts'
import type { PriceCells } from './price-columns.ts'
import type { RawRow } from './price-table.ts'

/** More rows with missing sizes than any real list has; further rows are rejected. */
const MAX_PENDING_ROWS = 100_000

type RequestedVariant = {
  readonly device: Device
  readonly attributes: readonly Attribute[]
  /** The source that named it first. */
  readonly source: string
  rows: number
}

export type VariantAdder = ReturnType<typeof createVariantAdder>

export type PendingPriceRow = { readonly line: number; readonly cells: PriceCells; readonly raw: RawRow }

export function createVariantAdder(context: ImportContext, devices: readonly Device[]) {
  const addsAll = context.options['add-variants'] !== undefined
  const inferVariant = createVariantInference(devices)
  const requested = new Map<string, RequestedVariant>()
  const pendingRows: PendingPriceRow[] = []

  /** Whether rows of this device may add a size. */
  const mayAdd = ({ device }: MissingVariant) => addsAll || isBuiltToOrder(device)

  /** Holds the row back, or returns why its size is implausible. */
  function request(row: PendingPriceRow, size: MissingVariant, source: string): RejectionCode | null {
    const variant = inferVariant(size)
    if ('problem' in variant) return variant.problem
    if (pendingRows.length >= MAX_PENDING_ROWS) return 'too_many_sizes'
    pendingRows.push(row)
    const { device } = size
    const { attributes } = variant
    const key = [device.id, ...attributes.map(({ value }) => value)].join('\n')
    requested.getOrInsertComputed(key, () => ({ device, attributes, source, rows: 0 })).rows++
    return null
  }

  /** Adds the missing variants to the registry; the rows waiting for them can be parsed afterwards. */
  async function add(): Promise<{ devices: readonly Device[]; rows: readonly PendingPriceRow[]; added: number }> {
    const registry = await loadImportRegistry(context.db)
    const writer = openCatalogueWriter(registry, context)
    let added = 0
    for (const { device, attributes, source, rows } of requested.values()) {
      const existing = registry.get(device.id)
      // Another import may have removed the device meanwhile; its rows are then rejected.
      if (!existing) continue
      writer.add({
        id: device.id,
        make: existing.make,
        name: existing.name,
        source: existing.source as FactOrigin,
        variants: [{ attributes, source: marketOrigin(source) }],
        line: 0,
      })
      const key = attributesKey(attributes)
      const variant = registry.get(device.id)?.variants.find((candidate) => attributesKey(candidate.attributes) === key)
      if (!variant || existing.variants.some(({ id }) => id === variant.id)) continue
      added++
      context.report.recordAddition(variant.id, rows)
    }
    await writer.finish()
    return { devices: devices.map((device) => registry.get(device.id) ?? device), rows: pendingRows, added }
  }

  return {
    mayAdd,
    request,
    hasRequests: () => requested.size > 0,
    /** Waits while another import rewrites the catalogue. */
    finish: () => {
      if (context.dryRun) return add()
      const onWait = () =>
        context.notify('Another import into the catalogue is running; sizes are added when it has ended.')
      return withImportLock({ db: context.db, name: 'import-catalogue', onWait, signal: context.signal }, add)
    },
  }
}
