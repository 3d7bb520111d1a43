/** Merges drafts into the catalogue in memory and writes what changed in short steps. */
import type { Database } from '../../db/database.ts'
import type { TacTable } from '../../db/schema.ts'
import type { ImportContext } from '../importer.ts'
import { importStopped } from '../importer.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { readUnlinkedTacs, writeTacs } from '../tac/tac-store.ts'
import type { DeviceDraft } from './device-draft.ts'
import { findDeviceId } from './device-lookup.ts'
import { createImportRegistry, type ImportRegistry } from './import-registry.ts'
import { mergeDevice, type SourcedDevice } from './merge-device.ts'
import { type DeviceRowSet, diffRows, readAllDevices, writeDevices } from './registry-store.ts'

/** A long import is announced while it runs, so that processes have little left to read at its end. */
const ANNOUNCE_EVERY_MS = 500

export async function loadImportRegistry(db: Database): Promise<ImportRegistry> {
  return createImportRegistry(await readAllDevices(db))
}

type CatalogueFigures = {
  readonly devices: number
  readonly devices_new: number
  readonly devices_changed: number
  readonly variants: number
  readonly variants_new: number
  readonly variants_without_price: number
  /** TAC facts whose device was added by this import. */
  readonly tacs_linked: number
}

/** `add` merges a draft; `finish` writes and announces what changed. */
export function openCatalogueWriter(registry: ImportRegistry, context: ImportContext) {
  /** Each device touched, as it was before this import. */
  const originals = new Map<string, SourcedDevice | undefined>()

  function add(draft: DeviceDraft): void {
    const { id, collided } = registry.identify(draft)
    const existing = registry.get(id)
    if (!originals.has(id)) originals.set(id, existing)
    const merged = mergeDevice(id, existing, draft, registry.claimVariantId)
    if (merged.device !== existing) registry.put(merged.device)
    if (collided) context.report.remark('id_taken')
    context.report.remark('better_source_kept', merged.overruled)
    context.report.remark('variant_left_out', merged.variantsLeftOut)
  }

  async function finish(): Promise<CatalogueFigures> {
    const changed: DeviceRowSet[] = []
    let devicesNew = 0
    let variants = 0
    let variantsNew = 0
    let withoutPrice = 0
    for (const [id, original] of originals) {
      const device = registry.get(id)
      if (!device) continue
      variants += device.variants.length
      withoutPrice += device.variants.filter((variant) => variant.listCents === 0).length
      variantsNew += device.variants.length - (original?.variants.length ?? 0)
      if (!original) devicesNew++
      const rows = diffRows(original, device)
      if (rows) changed.push(rows)
    }
    // Sorted by id, so that index pages are written one after the other.
    changed.sort((a, b) => (a.device.id < b.device.id ? -1 : 1))
    context.report.remark('variant_without_price', withoutPrice)
    if (!context.dryRun) await write(changed)
    const tacsLinked = devicesNew > 0 ? await linkTacs() : 0
    return {
      devices: originals.size,
      devices_new: devicesNew,
      devices_changed: changed.length - devicesNew,
      variants,
      variants_new: variantsNew,
      variants_without_price: withoutPrice,
      tacs_linked: tacsLinked,
    }
  }

  async function write(changed: readonly DeviceRowSet[]): Promise<void> {
    let written = 0
    let announcedAt = performance.now()
    const writtenDevices = await writeInSteps(
      context.db,
      changed,
      async (tx, step) => {
        await writeDevices(context.db, tx, step)
        if (performance.now() - announcedAt > ANNOUNCE_EVERY_MS) {
          await context.db.announceChange(tx, 'catalogue')
          announcedAt = performance.now()
        }
        written += step.length
        context.progress.at(written, written, changed.length)
      },
      { inLastTransaction: (tx) => context.db.announceChange(tx, 'catalogue'), signal: context.signal },
    )
    if (writtenDevices < changed.length) throw importStopped(writtenDevices, changed.length, 'devices')
  }

  async function linkTacs(): Promise<number> {
    const linked: TacTable[] = []
    for (const row of await readUnlinkedTacs(context.db)) {
      const device = findDeviceId(registry, row.make, null, [row.model], row.tac)
      if (device) linked.push({ ...row, device_id: device })
    }
    if (context.dryRun) return linked.length
    return writeInSteps(context.db, linked, (tx, step) => writeTacs(context.db, tx, step), { signal: context.signal })
  }

  return { add, finish }
}
