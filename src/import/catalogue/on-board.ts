/** The catalogue on board is one more list that is merged into the registry; the program brings it itself. */
import type { Device } from '../../catalog/device.ts'
import { deviceColumns, variantColumns } from '../../catalog/device-row.ts'
import type { TacOnBoard } from '../../catalog/onboard.ts'
import type { Database } from '../../db/open.ts'
import type { DeviceDraft } from './draft.ts'
import { mergeDevice } from './merge.ts'
import {
  changedRows,
  type DeviceRows,
  dropDevices,
  insertDevices,
  isEmpty,
  readKnown,
  rememberVersion,
  versionOnBoard,
  writeDevices,
} from './registry-store.ts'
import { replaceTacs } from './tac-store.ts'

const ON_BOARD = 'on-board'
const STEP_DEVICES = 60
const FILL_DEVICES = 200

/** The facts on board. They are spread out only when they are needed: most starts find them in the store already. */
export type OnBoard = {
  readonly version: string
  readonly devices: () => readonly Device[]
  readonly tacs?: (devices: readonly Device[]) => readonly TacOnBoard[]
}

/** A new version replaces what an earlier one brought and what lesser sources said, never what an operator said. */
export function onBoardDraft(device: Device): DeviceDraft & { readonly id: string } {
  return { ...device, source: ON_BOARD, isWhole: true, line: 0 }
}

/**
 * At a start: the devices on board are in the store afterwards, whoever brought them. Servers that start together take
 * turns, and each waits for as long as the one before it needs. Returns what the registry holds if it was empty.
 */
export async function bringOnBoard(db: Database, onBoard: OnBoard, onWait: () => void): Promise<Contents | undefined> {
  if ((await versionOnBoard(db)) === onBoard.version) return undefined
  const bring = async () => {
    const contents = await fillOnBoard(db, onBoard)
    if (!contents) await loadOnBoard(db, onBoard)
    return contents
  }
  return db.alone('catalogue-on-board', bring, onWait)
}

/**
 * Brings the devices on board into the store, in short transactions, unless this version of them is there already.
 * Interrupted at any point it starts over at the next call and ends the same. Returns how many devices it wrote.
 */
export async function loadOnBoard(db: Database, onBoard: OnBoard): Promise<number> {
  const version = await versionOnBoard(db)
  if (version === onBoard.version) return 0
  const devices = onBoard.devices()
  if (version === undefined && (await fill(db, onBoard, devices)) !== undefined) return devices.length
  const drafts = devices.map(onBoardDraft)
  let written = 0
  for (let at = 0; at < drafts.length; at += STEP_DEVICES) {
    written += await loadStep(db, drafts.slice(at, at + STEP_DEVICES))
  }
  const ids = new Set(drafts.map((draft) => draft.id))
  await db.transaction(async (tx) => {
    // Two servers may start on one empty store: the counter's lock lets one finish before the other looks.
    await db.announce(tx, 'catalogue')
    await dropDevices(tx, ON_BOARD, (id) => ids.has(id))
    if (onBoard.tacs) await replaceTacs(db, tx, ON_BOARD, onBoard.tacs(devices).map(tacRow))
    await rememberVersion(db, tx, onBoard.version)
  })
  return written
}

/** What the registry holds at a revision, for whoever would otherwise read back what was just written. */
export type Contents = { readonly devices: readonly Device[]; readonly revision: number }

/**
 * A registry that holds nothing yet gets the devices on board, in one transaction: there is nothing to merge them with
 * and nobody who waits. Returns what it then holds; undefined when it was not empty, and nothing was done.
 */
async function fillOnBoard(db: Database, onBoard: OnBoard): Promise<Contents | undefined> {
  if ((await versionOnBoard(db)) !== undefined) return undefined
  const devices = onBoard.devices()
  const revision = await fill(db, onBoard, devices)
  return revision === undefined ? undefined : { devices, revision }
}

async function fill(db: Database, onBoard: OnBoard, devices: readonly Device[]): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    // Before looking: of two servers that start together, the second waits here and finds the work done.
    const revision = await db.announce(tx, 'catalogue')
    if (!(await isEmpty(tx))) return undefined
    for (let at = 0; at < devices.length; at += FILL_DEVICES) {
      await insertDevices(db, tx, devices.slice(at, at + FILL_DEVICES).map(onBoardRows), revision)
    }
    if (onBoard.tacs) await replaceTacs(db, tx, ON_BOARD, onBoard.tacs(devices).map(tacRow))
    await rememberVersion(db, tx, onBoard.version)
    return revision
  })
}

/** The same rows that merging the device with nothing would give, in a fraction of the time. */
export function onBoardRows(device: Device): DeviceRows {
  const origin = { source: ON_BOARD, provenance: '{}' }
  return {
    device: { ...deviceColumns(device), ...origin },
    variants: device.variants.map((variant, position) => ({
      ...variantColumns(device.id, variant, position),
      ...origin,
    })),
  }
}

async function loadStep(db: Database, drafts: readonly ReturnType<typeof onBoardDraft>[]): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = drafts.map((draft) => draft.id)
    const known = await readKnown(tx, ids)
    const changed = drafts.flatMap((draft) => {
      const before = known.get(draft.id)
      return changedRows(before, mergeDevice(draft.id, before, draft).device) ?? []
    })
    if (changed.length === 0) return 0
    await writeDevices(db, tx, changed)
    await db.announce(tx, 'catalogue')
    return changed.length
  })
}

function tacRow({ tac, deviceId, make, model, source, confidence }: TacOnBoard) {
  return { tac, device_id: deviceId, make, model, source, confidence }
}
