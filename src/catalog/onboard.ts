import { createHash } from 'node:crypto'
import amazonEcho from '../../data/catalogue/amazon-echo.json'
import amazonFire from '../../data/catalogue/amazon-fire.json'
import amazonFireTv from '../../data/catalogue/amazon-fire-tv.json'
import amazonKindle from '../../data/catalogue/amazon-kindle.json'
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
import asusConsole from '../../data/catalogue/asus-console.json'
import asusPhone from '../../data/catalogue/asus-phone.json'
import googleBuds from '../../data/catalogue/google-buds.json'
import googleHome from '../../data/catalogue/google-home.json'
import googleLaptop from '../../data/catalogue/google-laptop.json'
import googlePixel from '../../data/catalogue/google-pixel.json'
import googleStreaming from '../../data/catalogue/google-streaming.json'
import googleTablet from '../../data/catalogue/google-tablet.json'
import googleWatch from '../../data/catalogue/google-watch.json'
import htcVr from '../../data/catalogue/htc-vr.json'
import koboReader from '../../data/catalogue/kobo-reader.json'
import lenovoConsole from '../../data/catalogue/lenovo-console.json'
import metaVr from '../../data/catalogue/meta-vr.json'
import microsoftSurfaceLaptop from '../../data/catalogue/microsoft-surface-laptop.json'
import microsoftSurfacePhone from '../../data/catalogue/microsoft-surface-phone.json'
import microsoftSurfaceTablet from '../../data/catalogue/microsoft-surface-tablet.json'
import microsoftXbox from '../../data/catalogue/microsoft-xbox.json'
import motorolaPhone from '../../data/catalogue/motorola-phone.json'
import nintendoConsole from '../../data/catalogue/nintendo-console.json'
import nothingEarbuds from '../../data/catalogue/nothing-earbuds.json'
import nothingHeadphones from '../../data/catalogue/nothing-headphones.json'
import nothingPhone from '../../data/catalogue/nothing-phone.json'
import oneplusBuds from '../../data/catalogue/oneplus-buds.json'
import oneplusPhone from '../../data/catalogue/oneplus-phone.json'
import oneplusTablet from '../../data/catalogue/oneplus-tablet.json'
import oneplusWatch from '../../data/catalogue/oneplus-watch.json'
import rokuPlayer from '../../data/catalogue/roku-player.json'
import samsungGalaxyA from '../../data/catalogue/samsung-galaxy-a.json'
import samsungGalaxyBuds from '../../data/catalogue/samsung-galaxy-buds.json'
import samsungGalaxyNote from '../../data/catalogue/samsung-galaxy-note.json'
import samsungGalaxyS from '../../data/catalogue/samsung-galaxy-s.json'
import samsungGalaxyTab from '../../data/catalogue/samsung-galaxy-tab.json'
import samsungGalaxyWatch from '../../data/catalogue/samsung-galaxy-watch.json'
import samsungGalaxyZ from '../../data/catalogue/samsung-galaxy-z.json'
import sonyEarbuds from '../../data/catalogue/sony-earbuds.json'
import sonyHeadphones from '../../data/catalogue/sony-headphones.json'
import sonyPlaystation from '../../data/catalogue/sony-playstation.json'
import sonyVr from '../../data/catalogue/sony-vr.json'
import sonyXperia from '../../data/catalogue/sony-xperia.json'
import valveConsole from '../../data/catalogue/valve-console.json'
import valveVr from '../../data/catalogue/valve-vr.json'
import type { Device } from './device.ts'
import { expandFamily, type Family } from './family.ts'

/** In the order the catalogue shows equals: imported one by one so that the one-file program carries them. */
const FAMILIES = [
  amazonEcho,
  amazonFire,
  amazonFireTv,
  amazonKindle,
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
  asusConsole,
  asusPhone,
  googleBuds,
  googleHome,
  googleLaptop,
  googlePixel,
  googleStreaming,
  googleTablet,
  googleWatch,
  htcVr,
  koboReader,
  lenovoConsole,
  metaVr,
  microsoftSurfaceLaptop,
  microsoftSurfacePhone,
  microsoftSurfaceTablet,
  microsoftXbox,
  motorolaPhone,
  nintendoConsole,
  nothingEarbuds,
  nothingHeadphones,
  nothingPhone,
  oneplusBuds,
  oneplusPhone,
  oneplusTablet,
  oneplusWatch,
  rokuPlayer,
  samsungGalaxyA,
  samsungGalaxyBuds,
  samsungGalaxyNote,
  samsungGalaxyS,
  samsungGalaxyTab,
  samsungGalaxyWatch,
  samsungGalaxyZ,
  sonyEarbuds,
  sonyHeadphones,
  sonyPlaystation,
  sonyVr,
  sonyXperia,
  valveConsole,
  valveVr,
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
