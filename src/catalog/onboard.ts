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
import beatsEarbuds from '../../data/catalogue/beats-earbuds.json'
import beatsHeadphones from '../../data/catalogue/beats-headphones.json'
import boseEarbuds from '../../data/catalogue/bose-earbuds.json'
import boseHeadphones from '../../data/catalogue/bose-headphones.json'
import canonCamera from '../../data/catalogue/canon-camera.json'
import djiCamera from '../../data/catalogue/dji-camera.json'
import djiDrone from '../../data/catalogue/dji-drone.json'
import essentialPhone from '../../data/catalogue/essential-phone.json'
import fitbitTracker from '../../data/catalogue/fitbit-tracker.json'
import fitbitWatch from '../../data/catalogue/fitbit-watch.json'
import fujifilmCamera from '../../data/catalogue/fujifilm-camera.json'
import garminWatch from '../../data/catalogue/garmin-watch.json'
import googleBuds from '../../data/catalogue/google-buds.json'
import googleHome from '../../data/catalogue/google-home.json'
import googleLaptop from '../../data/catalogue/google-laptop.json'
import googlePixel from '../../data/catalogue/google-pixel.json'
import googleStreaming from '../../data/catalogue/google-streaming.json'
import googleTablet from '../../data/catalogue/google-tablet.json'
import googleWatch from '../../data/catalogue/google-watch.json'
import goproCamera from '../../data/catalogue/gopro-camera.json'
import htcVr from '../../data/catalogue/htc-vr.json'
import insta360Camera from '../../data/catalogue/insta360-camera.json'
import jblSpeaker from '../../data/catalogue/jbl-speaker.json'
import koboReader from '../../data/catalogue/kobo-reader.json'
import lenovoConsole from '../../data/catalogue/lenovo-console.json'
import lgPhone from '../../data/catalogue/lg-phone.json'
import metaVr from '../../data/catalogue/meta-vr.json'
import microsoftSurfaceLaptop from '../../data/catalogue/microsoft-surface-laptop.json'
import microsoftSurfacePhone from '../../data/catalogue/microsoft-surface-phone.json'
import microsoftSurfaceTablet from '../../data/catalogue/microsoft-surface-tablet.json'
import microsoftXbox from '../../data/catalogue/microsoft-xbox.json'
import motorolaPhone from '../../data/catalogue/motorola-phone.json'
import nikonCamera from '../../data/catalogue/nikon-camera.json'
import nintendoConsole from '../../data/catalogue/nintendo-console.json'
import nothingEarbuds from '../../data/catalogue/nothing-earbuds.json'
import nothingHeadphones from '../../data/catalogue/nothing-headphones.json'
import nothingPhone from '../../data/catalogue/nothing-phone.json'
import nvidiaShield from '../../data/catalogue/nvidia-shield.json'
import oneplusBuds from '../../data/catalogue/oneplus-buds.json'
import oneplusPhone from '../../data/catalogue/oneplus-phone.json'
import oneplusTablet from '../../data/catalogue/oneplus-tablet.json'
import oneplusWatch from '../../data/catalogue/oneplus-watch.json'
import razerPhone from '../../data/catalogue/razer-phone.json'
import rokuPlayer from '../../data/catalogue/roku-player.json'
import samsungGalaxyA from '../../data/catalogue/samsung-galaxy-a.json'
import samsungGalaxyBuds from '../../data/catalogue/samsung-galaxy-buds.json'
import samsungGalaxyNote from '../../data/catalogue/samsung-galaxy-note.json'
import samsungGalaxyS from '../../data/catalogue/samsung-galaxy-s.json'
import samsungGalaxyTab from '../../data/catalogue/samsung-galaxy-tab.json'
import samsungGalaxyWatch from '../../data/catalogue/samsung-galaxy-watch.json'
import samsungGalaxyZ from '../../data/catalogue/samsung-galaxy-z.json'
import sennheiserEarbuds from '../../data/catalogue/sennheiser-earbuds.json'
import sennheiserHeadphones from '../../data/catalogue/sennheiser-headphones.json'
import sonosHeadphones from '../../data/catalogue/sonos-headphones.json'
import sonosSpeaker from '../../data/catalogue/sonos-speaker.json'
import sonyCamera from '../../data/catalogue/sony-camera.json'
import sonyEarbuds from '../../data/catalogue/sony-earbuds.json'
import sonyHeadphones from '../../data/catalogue/sony-headphones.json'
import sonyPlaystation from '../../data/catalogue/sony-playstation.json'
import sonyVr from '../../data/catalogue/sony-vr.json'
import sonyXperia from '../../data/catalogue/sony-xperia.json'
import valveConsole from '../../data/catalogue/valve-console.json'
import valveVr from '../../data/catalogue/valve-vr.json'
import xiaomiPhone from '../../data/catalogue/xiaomi-phone.json'
import xiaomiTablet from '../../data/catalogue/xiaomi-tablet.json'
import tacLines from '../../data/tacs/phones.json'
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
  beatsEarbuds,
  beatsHeadphones,
  boseEarbuds,
  boseHeadphones,
  canonCamera,
  djiCamera,
  djiDrone,
  essentialPhone,
  fitbitTracker,
  fitbitWatch,
  fujifilmCamera,
  garminWatch,
  googleBuds,
  googleHome,
  googleLaptop,
  googlePixel,
  googleStreaming,
  googleTablet,
  googleWatch,
  goproCamera,
  htcVr,
  insta360Camera,
  jblSpeaker,
  koboReader,
  lenovoConsole,
  lgPhone,
  metaVr,
  microsoftSurfaceLaptop,
  microsoftSurfacePhone,
  microsoftSurfaceTablet,
  microsoftXbox,
  motorolaPhone,
  nikonCamera,
  nintendoConsole,
  nothingEarbuds,
  nothingHeadphones,
  nothingPhone,
  nvidiaShield,
  oneplusBuds,
  oneplusPhone,
  oneplusTablet,
  oneplusWatch,
  razerPhone,
  rokuPlayer,
  samsungGalaxyA,
  samsungGalaxyBuds,
  samsungGalaxyNote,
  samsungGalaxyS,
  samsungGalaxyTab,
  samsungGalaxyWatch,
  samsungGalaxyZ,
  sennheiserEarbuds,
  sennheiserHeadphones,
  sonosHeadphones,
  sonosSpeaker,
  sonyCamera,
  sonyEarbuds,
  sonyHeadphones,
  sonyPlaystation,
  sonyVr,
  sonyXperia,
  valveConsole,
  valveVr,
  xiaomiPhone,
  xiaomiTablet,
] as unknown as readonly Family[]

let expanded: readonly Device[] | undefined

/** The devices every installation starts with; our own facts, see docs/decisions.md "Catalogue". */
export function devicesOnBoard(): readonly Device[] {
  expanded ??= FAMILIES.flatMap(expandFamily)
  return expanded
}

/** Changes exactly when a fact on board changes, so that a store knows whether it holds the newest. */
export function catalogueVersion(): string {
  return createHash('sha256')
    .update(JSON.stringify([FAMILIES, tacLines]))
    .digest('hex')
    .slice(0, 16)
}

export type TacOnBoard = {
  readonly tac: string
  readonly deviceId: string
  readonly make: string
  readonly model: string
  /** 0–100: how sure it is that a phone with this TAC is this device; a TAC seen at two devices stands at both, lower. */
  readonly confidence: number
  readonly source: string
}

/** Which phone a TAC belongs to, for common phones, so that they are recognised before any list is imported. */
export function tacsOnBoard(): readonly TacOnBoard[] {
  const byId = new Map(devicesOnBoard().map((device) => [device.id, device]))
  return tacLines.flatMap(({ device: deviceId, confidence, tacs }) => {
    const device = byId.get(deviceId)
    if (!device) throw new Error(`The TACs on board name a device that is not: ${deviceId}`)
    return tacs.map((tac) => ({ tac, deviceId, make: device.make, model: device.name, confidence, source: 'on-board' }))
  })
}
