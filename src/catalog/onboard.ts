import { createHash } from 'node:crypto'
import appleEarbuds from '../../data/catalogue/apple-earbuds.json'
import appleHeadphones from '../../data/catalogue/apple-headphones.json'
import appleHomepod from '../../data/catalogue/apple-homepod.json'
import appleIpad from '../../data/catalogue/apple-ipad.json'
import appleIphone from '../../data/catalogue/apple-iphone.json'
import appleIpod from '../../data/catalogue/apple-ipod.json'
import appleMacDesktop from '../../data/catalogue/apple-mac-desktop.json'
import appleMacbook from '../../data/catalogue/apple-macbook.json'
import appleTv from '../../data/catalogue/apple-tv.json'
import appleVision from '../../data/catalogue/apple-vision.json'
import appleWatch from '../../data/catalogue/apple-watch.json'
import samsungGalaxyA from '../../data/catalogue/samsung-galaxy-a.json'
import samsungGalaxyNote from '../../data/catalogue/samsung-galaxy-note.json'
import samsungGalaxyS from '../../data/catalogue/samsung-galaxy-s.json'
import samsungGalaxyZ from '../../data/catalogue/samsung-galaxy-z.json'
import type { Device } from './device.ts'
import { expandFamily, type Family } from './family.ts'

/** In the order the catalogue shows equals: imported one by one so that the one-file program carries them. */
const FAMILIES = [
  appleEarbuds,
  appleHeadphones,
  appleHomepod,
  appleIpad,
  appleIphone,
  appleIpod,
  appleMacDesktop,
  appleMacbook,
  appleTv,
  appleVision,
  appleWatch,
  samsungGalaxyA,
  samsungGalaxyNote,
  samsungGalaxyS,
  samsungGalaxyZ,
] as unknown as readonly Family[]

let expanded: readonly Device[] | undefined

/** The devices every installation starts with; our own facts, see docs/decisions.md "Catalogue". */
export function devicesOnBoard(): readonly Device[] {
  expanded ??= FAMILIES.flatMap(expandFamily)
  return expanded
}

/** Changes exactly when a fact on board changes, so that a store knows whether it holds the newest. */
export function catalogueVersion(): string {
  return createHash('sha256').update(JSON.stringify(FAMILIES)).digest('hex').slice(0, 16)
}

export type TacOnBoard = {
  readonly tac: string
  readonly deviceId: string
  readonly make: string
  readonly model: string
  /** 0–100: how sure it is that a phone with this TAC is this device. */
  readonly confidence: number
  readonly source: string
}

/** Which phone a TAC belongs to, for common phones, so that they are recognised before any list is imported. */
export function tacsOnBoard(): readonly TacOnBoard[] {
  return []
}
