/** The catalogue on board is one more list that is merged into the registry; the program brings it itself. */
import type { Device } from '../../catalog/device.ts'
import type { TacOnBoard } from '../../catalog/onboard.ts'
import type { Database } from '../../db/open.ts'
import type { DeviceDraft } from './draft.ts'
import { mergeDevice } from './merge.ts'
import { changedRows, dropDevices, readKnown, rememberVersion, versionOnBoard, writeDevices } from './registry-store.ts'
import { replaceTacs } from './tac-store.ts'

const ON_BOARD = 'on-board'
const STEP_DEVICES = 60

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
 * Brings the devices on board into the store, in short transactions, unless this version of them is there already.
 * Interrupted at any point it starts over at the next call and ends the same. Returns how many devices it wrote.
 */
export async function loadOnBoard(db: Database, onBoard: OnBoard): Promise<number> {
  if ((await versionOnBoard(db)) === onBoard.version) return 0
  const devices = onBoard.devices()
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

function tacRow({ tac, deviceId, make, model, confidence }: TacOnBoard) {
  return { tac, device_id: deviceId, make, model, source: ON_BOARD, confidence }
}
