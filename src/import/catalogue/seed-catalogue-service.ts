/** The catalogue on board is one more list that is merged into the registry; the program brings it itself. */

import type { BundledTac } from '../../catalog/bundled-catalogue-service.ts'
import type { Device } from '../../catalog/device.ts'
import { toDeviceRow, toVariantRow } from '../../catalog/device-row.ts'
import type { Database } from '../../db/database.ts'
import { replaceTacs } from '../tac/tac-store.ts'
import type { DeviceDraft } from './device-draft.ts'
import { mergeDevice } from './merge-device.ts'
import {
  type DeviceRowSet,
  deleteDevicesOfSource,
  diffRows,
  insertDevices,
  isRegistryEmpty,
  readDevicesById,
  readSeededVersion,
  writeDevices,
  writeSeededVersion,
} from './registry-store.ts'

const BUNDLED_SOURCE = 'on-board'
const DEVICES_PER_STEP = 60
const DEVICES_PER_INSERT = 200

/** The facts on board. They are spread out only when they are needed: most starts find them in the store already. */
export type BundledCatalogue = {
  readonly version: string
  readonly devices: () => readonly Device[]
  readonly tacs?: (devices: readonly Device[]) => readonly BundledTac[]
}

/** A new version replaces what an earlier one brought and what lesser sources said, never what an operator said. */
export function bundledDraft(device: Device): DeviceDraft & { readonly id: string } {
  return { ...device, source: BUNDLED_SOURCE, isComplete: true, line: 0 }
}

/**
 * At a start: the devices on board are in the store afterwards, whoever brought them. Servers that start together take
 * turns, and each waits for as long as the one before it needs. Returns what the registry holds if it was empty.
 */
export async function seedCatalogueOnStart(
  db: Database,
  bundled: BundledCatalogue,
  onWait: () => void,
): Promise<RegistryContents | undefined> {
  if ((await readSeededVersion(db)) === bundled.version) return undefined
  const bring = async () => {
    const contents = await seedIfEmpty(db, bundled)
    if (!contents) await seedCatalogue(db, bundled)
    return contents
  }
  return db.withLock('catalogue-on-board', bring, onWait)
}

/**
 * Brings the devices on board into the store, in short transactions, unless this version of them is there already.
 * Interrupted at any point it starts over at the next call and ends the same. Returns how many devices it wrote.
 */
export async function seedCatalogue(db: Database, bundled: BundledCatalogue): Promise<number> {
  const version = await readSeededVersion(db)
  if (version === bundled.version) return 0
  const devices = bundled.devices()
  if (version === undefined && (await insertAll(db, bundled, devices)) !== undefined) return devices.length
  const drafts = devices.map(bundledDraft)
  let written = 0
  for (let at = 0; at < drafts.length; at += DEVICES_PER_STEP) {
    written += await mergeStep(db, drafts.slice(at, at + DEVICES_PER_STEP))
  }
  const ids = new Set(drafts.map((draft) => draft.id))
  await db.transaction(async (tx) => {
    // Two servers may start on one empty store: the counter's lock lets one finish before the other looks.
    await db.announceChange(tx, 'catalogue')
    await deleteDevicesOfSource(tx, BUNDLED_SOURCE, (id) => ids.has(id))
    if (bundled.tacs) await replaceTacs(db, tx, BUNDLED_SOURCE, bundled.tacs(devices).map(toTacRow))
    await writeSeededVersion(db, tx, bundled.version)
  })
  return written
}

/** What the registry holds at a revision, for whoever would otherwise read back what was just written. */
export type RegistryContents = { readonly devices: readonly Device[]; readonly revision: number }

/**
 * A registry that holds nothing yet gets the devices on board, in one transaction: there is nothing to merge them with
 * and nobody who waits. Returns what it then holds; undefined when it was not empty, and nothing was done.
 */
async function seedIfEmpty(db: Database, bundled: BundledCatalogue): Promise<RegistryContents | undefined> {
  if ((await readSeededVersion(db)) !== undefined) return undefined
  const devices = bundled.devices()
  const revision = await insertAll(db, bundled, devices)
  return revision === undefined ? undefined : { devices, revision }
}

async function insertAll(
  db: Database,
  bundled: BundledCatalogue,
  devices: readonly Device[],
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // Before looking: of two servers that start together, the second waits here and finds the work done.
    const revision = await db.announceChange(tx, 'catalogue')
    if (!(await isRegistryEmpty(tx))) return undefined
    for (let at = 0; at < devices.length; at += DEVICES_PER_INSERT) {
      await insertDevices(db, tx, devices.slice(at, at + DEVICES_PER_INSERT).map(bundledRows), revision)
    }
    if (bundled.tacs) await replaceTacs(db, tx, BUNDLED_SOURCE, bundled.tacs(devices).map(toTacRow))
    await writeSeededVersion(db, tx, bundled.version)
    return revision
  })
}

/** The same rows that merging the device with nothing would give, in a fraction of the time. */
export function bundledRows(device: Device): DeviceRowSet {
  const origin = { source: BUNDLED_SOURCE, provenance: '{}' }
  return {
    device: { ...toDeviceRow(device), ...origin },
    variants: device.variants.map((variant, position) => ({
      ...toVariantRow(device.id, variant, position),
      ...origin,
    })),
  }
}

async function mergeStep(db: Database, drafts: readonly ReturnType<typeof bundledDraft>[]): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = drafts.map((draft) => draft.id)
    const known = await readDevicesById(tx, ids)
    const changed = drafts.flatMap((draft) => {
      const before = known.get(draft.id)
      return diffRows(before, mergeDevice(draft.id, before, draft).device) ?? []
    })
    if (changed.length === 0) return 0
    await writeDevices(db, tx, changed)
    await db.announceChange(tx, 'catalogue')
    return changed.length
  })
}

function toTacRow({ tac, deviceId, make, model, source, confidence }: BundledTac) {
  return { tac, device_id: deviceId, make, model, source, confidence }
}
