/** Drafts into the registry: merged in memory, then written in short steps where something really changed. */
import type { Database } from '../../db/open.ts'
import type { TacTable } from '../../db/schema.ts'
import type { ImportContext } from '../importer.ts'
import { stopped } from '../importer.ts'
import { writeInSteps } from '../steps.ts'
import type { DeviceDraft } from './draft.ts'
import { findDevice } from './known-device.ts'
import { type KnownRegistry, knownRegistry } from './known-registry.ts'
import { type KnownDevice, mergeDevice } from './merge.ts'
import { changedRows, type DeviceRows, readRegistry, writeDevices } from './registry-store.ts'
import { readLooseTacs, writeTacs } from './tac-store.ts'

/** A long import is served as it goes, so that little is left to read when it ends. */
const ANNOUNCE_MS = 500

export async function openRegistry(db: Database): Promise<KnownRegistry> {
  return knownRegistry(await readRegistry(db))
}

type LoadFigures = {
  readonly devices: number
  readonly devices_new: number
  readonly devices_changed: number
  readonly variants: number
  readonly variants_new: number
  readonly variants_without_price: number
  /** TAC facts that waited for a device which is there now. */
  readonly tacs_linked: number
}

/** Merges drafts one after the other; `finish` writes what changed and announces it. */
export function openLoad(registry: KnownRegistry, context: ImportContext) {
  /** Each device touched, as it was before this import. */
  const before = new Map<string, KnownDevice | undefined>()

  function add(draft: DeviceDraft): void {
    const { id, collided } = registry.identify(draft)
    const known = registry.get(id)
    if (!before.has(id)) before.set(id, known)
    const merged = mergeDevice(id, known, draft, registry.claimVariantId)
    if (merged.device !== known) registry.put(merged.device)
    if (collided) context.report.remark('id was taken by another device, a longer one was given')
    context.report.remark('fact kept from a better source', merged.overruled)
    context.report.remark('variant left out, the device has better ones', merged.variantsLeftOut)
  }

  async function finish(): Promise<LoadFigures> {
    const changed: DeviceRows[] = []
    let devicesNew = 0
    let variants = 0
    let variantsNew = 0
    let withoutPrice = 0
    for (const [id, was] of before) {
      const is = registry.get(id)
      if (!is) continue
      variants += is.variants.length
      withoutPrice += is.variants.filter((variant) => variant.listCents === 0 && variant.disabled).length
      variantsNew += is.variants.length - (was?.variants.length ?? 0)
      if (!was) devicesNew++
      const rows = changedRows(was, is)
      if (rows) changed.push(rows)
    }
    // In the order of their ids, so that the store's trees grow at one place at a time.
    changed.sort((a, b) => (a.device.id < b.device.id ? -1 : 1))
    context.report.remark('variant without a price, stored disabled with price 0', withoutPrice)
    if (!context.dryRun) await write(changed)
    const tacsLinked = devicesNew > 0 ? await linkTacs() : 0
    return {
      devices: before.size,
      devices_new: devicesNew,
      devices_changed: changed.length - devicesNew,
      variants,
      variants_new: variantsNew,
      variants_without_price: withoutPrice,
      tacs_linked: tacsLinked,
    }
  }

  async function write(changed: readonly DeviceRows[]): Promise<void> {
    let written = 0
    let announcedAt = performance.now()
    const done = await writeInSteps(
      context.db,
      changed,
      async (tx, step) => {
        await writeDevices(context.db, tx, step)
        if (performance.now() - announcedAt > ANNOUNCE_MS) {
          await context.db.announce(tx, 'catalogue')
          announcedAt = performance.now()
        }
        written += step.length
        context.progress.at(written, written, changed.length)
      },
      { finish: (tx) => context.db.announce(tx, 'catalogue'), signal: context.signal },
    )
    if (done < changed.length) throw stopped(done, changed.length, 'devices')
  }

  async function linkTacs(): Promise<number> {
    const linked: TacTable[] = []
    for (const row of await readLooseTacs(context.db)) {
      const device = findDevice(registry, row.make, null, [row.model], row.tac)
      if (device) linked.push({ ...row, device_id: device })
    }
    if (context.dryRun) return linked.length
    return writeInSteps(context.db, linked, (tx, step) => writeTacs(context.db, tx, step), { signal: context.signal })
  }

  return { add, finish }
}
