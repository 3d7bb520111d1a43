/** Seeds the registry with the bundled catalogue, which is merged like any other list. */

import type { BundledTac } from '../../catalog/bundled-catalogue-service.ts'
import type { Device } from '../../catalog/device.ts'
import { toDeviceRow, toVariantRow } from '../../catalog/device-row.ts'
import type { Database, Tx } from '../../db/database.ts'
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

const BUNDLED_SOURCE = 'bundled'
const DEVICES_PER_STEP = 60
const DEVICES_PER_INSERT = 200

/** The bundled catalogue. `devices` and `tacs` are lazy: most starts find the database already seeded. */
export type BundledCatalogue = {
  readonly version: string
  readonly devices: () => readonly Device[]
  readonly tacs?: (devices: readonly Device[]) => readonly BundledTac[]
}

/** A new version replaces facts of earlier versions and of weaker sources, never those of an operator. */
export function bundledDraft(device: Device): DeviceDraft & { readonly id: string } {
  return { ...device, source: BUNDLED_SOURCE, isComplete: true, line: 0 }
}

/** Called at startup. Processes that start together seed one after the other under a lock. */
export async function seedCatalogueOnStart(db: Database, bundled: BundledCatalogue, onWait: () => void): Promise<void> {
  if ((await readSeededVersion(db)) === bundled.version) return
  await db.withLock('bundled-catalogue', () => seedCatalogue(db, bundled), onWait)
}

/**
 * Merges the bundled devices into the database in short transactions, unless this version is already there. Safe to
 * interrupt: the next call starts over with the same result. Returns the number of devices written.
 */
export async function seedCatalogue(db: Database, bundled: BundledCatalogue): Promise<number> {
  const version = await readSeededVersion(db)
  if (version === bundled.version) return 0
  const devices = bundled.devices()
  if (version === undefined && (await insertIfEmpty(db, bundled, devices))) return devices.length
  const drafts = devices.map(bundledDraft)
  let written = 0
  for (let at = 0; at < drafts.length; at += DEVICES_PER_STEP) {
    written += await mergeStep(db, drafts.slice(at, at + DEVICES_PER_STEP))
  }
  const ids = new Set(drafts.map((draft) => draft.id))
  await db.transaction(async (tx) => {
    // Takes the counter's row lock, so that of two processes the second waits for the first to commit.
    await db.announceChange(tx, 'catalogue')
    await deleteDevicesOfSource(tx, BUNDLED_SOURCE, (id) => ids.has(id))
    await finishSeeding(db, tx, bundled, devices)
  })
  return written
}

/** Fills an empty catalogue in one transaction, since there is nothing to merge with; returns whether it was empty. */
async function insertIfEmpty(db: Database, bundled: BundledCatalogue, devices: readonly Device[]): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Lock before the check: of two processes that start together, the second waits here and finds the work done.
    const revision = await db.announceChange(tx, 'catalogue')
    if (!(await isRegistryEmpty(tx))) return false
    for (let at = 0; at < devices.length; at += DEVICES_PER_INSERT) {
      await insertDevices(db, tx, devices.slice(at, at + DEVICES_PER_INSERT).map(bundledRows), revision)
    }
    await finishSeeding(db, tx, bundled, devices)
    return true
  })
}

async function finishSeeding(db: Database, tx: Tx, bundled: BundledCatalogue, devices: readonly Device[]) {
  if (bundled.tacs) await replaceTacs(db, tx, BUNDLED_SOURCE, bundled.tacs(devices).map(toTacRow))
  await writeSeededVersion(tx, bundled.version)
}

/** Same rows as merging the device into an empty registry, but much faster. */
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
    const existing = await readDevicesById(tx, ids)
    const changed = drafts.flatMap((draft) => {
      const before = existing.get(draft.id)
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
