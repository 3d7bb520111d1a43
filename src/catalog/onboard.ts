import { createHash } from 'node:crypto'
import amazonEcho from '../../data/catalogue/amazon-echo.json' with { type: 'text' }
import amazonFire from '../../data/catalogue/amazon-fire.json' with { type: 'text' }
import amazonFireTv from '../../data/catalogue/amazon-fire-tv.json' with { type: 'text' }
import amazonKindle from '../../data/catalogue/amazon-kindle.json' with { type: 'text' }
import appleEarbuds from '../../data/catalogue/apple-earbuds.json' with { type: 'text' }
import appleHeadphones from '../../data/catalogue/apple-headphones.json' with { type: 'text' }
import appleHomepod from '../../data/catalogue/apple-homepod.json' with { type: 'text' }
import appleIpad from '../../data/catalogue/apple-ipad.json' with { type: 'text' }
import appleIphone from '../../data/catalogue/apple-iphone.json' with { type: 'text' }
import appleIpod from '../../data/catalogue/apple-ipod.json' with { type: 'text' }
import appleMacDesktop from '../../data/catalogue/apple-mac-desktop.json' with { type: 'text' }
import appleMacbook from '../../data/catalogue/apple-macbook.json' with { type: 'text' }
import appleTv from '../../data/catalogue/apple-tv.json' with { type: 'text' }
import appleVision from '../../data/catalogue/apple-vision.json' with { type: 'text' }
import appleWatch from '../../data/catalogue/apple-watch.json' with { type: 'text' }
import asusConsole from '../../data/catalogue/asus-console.json' with { type: 'text' }
import asusPhone from '../../data/catalogue/asus-phone.json' with { type: 'text' }
import beatsEarbuds from '../../data/catalogue/beats-earbuds.json' with { type: 'text' }
import beatsHeadphones from '../../data/catalogue/beats-headphones.json' with { type: 'text' }
import boseEarbuds from '../../data/catalogue/bose-earbuds.json' with { type: 'text' }
import boseHeadphones from '../../data/catalogue/bose-headphones.json' with { type: 'text' }
import canonCamera from '../../data/catalogue/canon-camera.json' with { type: 'text' }
import djiCamera from '../../data/catalogue/dji-camera.json' with { type: 'text' }
import djiDrone from '../../data/catalogue/dji-drone.json' with { type: 'text' }
import essentialPhone from '../../data/catalogue/essential-phone.json' with { type: 'text' }
import fitbitTracker from '../../data/catalogue/fitbit-tracker.json' with { type: 'text' }
import fitbitWatch from '../../data/catalogue/fitbit-watch.json' with { type: 'text' }
import fujifilmCamera from '../../data/catalogue/fujifilm-camera.json' with { type: 'text' }
import garminWatch from '../../data/catalogue/garmin-watch.json' with { type: 'text' }
import googleBuds from '../../data/catalogue/google-buds.json' with { type: 'text' }
import googleHome from '../../data/catalogue/google-home.json' with { type: 'text' }
import googleLaptop from '../../data/catalogue/google-laptop.json' with { type: 'text' }
import googlePixel from '../../data/catalogue/google-pixel.json' with { type: 'text' }
import googleStreaming from '../../data/catalogue/google-streaming.json' with { type: 'text' }
import googleTablet from '../../data/catalogue/google-tablet.json' with { type: 'text' }
import googleWatch from '../../data/catalogue/google-watch.json' with { type: 'text' }
import goproCamera from '../../data/catalogue/gopro-camera.json' with { type: 'text' }
import htcVr from '../../data/catalogue/htc-vr.json' with { type: 'text' }
import insta360Camera from '../../data/catalogue/insta360-camera.json' with { type: 'text' }
import jblSpeaker from '../../data/catalogue/jbl-speaker.json' with { type: 'text' }
import koboReader from '../../data/catalogue/kobo-reader.json' with { type: 'text' }
import lenovoConsole from '../../data/catalogue/lenovo-console.json' with { type: 'text' }
import lgPhone from '../../data/catalogue/lg-phone.json' with { type: 'text' }
import metaVr from '../../data/catalogue/meta-vr.json' with { type: 'text' }
import microsoftSurfaceLaptop from '../../data/catalogue/microsoft-surface-laptop.json' with { type: 'text' }
import microsoftSurfacePhone from '../../data/catalogue/microsoft-surface-phone.json' with { type: 'text' }
import microsoftSurfaceTablet from '../../data/catalogue/microsoft-surface-tablet.json' with { type: 'text' }
import microsoftXbox from '../../data/catalogue/microsoft-xbox.json' with { type: 'text' }
import motorolaPhone from '../../data/catalogue/motorola-phone.json' with { type: 'text' }
import nikonCamera from '../../data/catalogue/nikon-camera.json' with { type: 'text' }
import nintendoConsole from '../../data/catalogue/nintendo-console.json' with { type: 'text' }
import nothingEarbuds from '../../data/catalogue/nothing-earbuds.json' with { type: 'text' }
import nothingHeadphones from '../../data/catalogue/nothing-headphones.json' with { type: 'text' }
import nothingPhone from '../../data/catalogue/nothing-phone.json' with { type: 'text' }
import nvidiaShield from '../../data/catalogue/nvidia-shield.json' with { type: 'text' }
import oneplusBuds from '../../data/catalogue/oneplus-buds.json' with { type: 'text' }
import oneplusPhone from '../../data/catalogue/oneplus-phone.json' with { type: 'text' }
import oneplusTablet from '../../data/catalogue/oneplus-tablet.json' with { type: 'text' }
import oneplusWatch from '../../data/catalogue/oneplus-watch.json' with { type: 'text' }
import razerPhone from '../../data/catalogue/razer-phone.json' with { type: 'text' }
import rokuPlayer from '../../data/catalogue/roku-player.json' with { type: 'text' }
import samsungGalaxyA from '../../data/catalogue/samsung-galaxy-a.json' with { type: 'text' }
import samsungGalaxyBuds from '../../data/catalogue/samsung-galaxy-buds.json' with { type: 'text' }
import samsungGalaxyNote from '../../data/catalogue/samsung-galaxy-note.json' with { type: 'text' }
import samsungGalaxyS from '../../data/catalogue/samsung-galaxy-s.json' with { type: 'text' }
import samsungGalaxyTab from '../../data/catalogue/samsung-galaxy-tab.json' with { type: 'text' }
import samsungGalaxyWatch from '../../data/catalogue/samsung-galaxy-watch.json' with { type: 'text' }
import samsungGalaxyZ from '../../data/catalogue/samsung-galaxy-z.json' with { type: 'text' }
import sennheiserEarbuds from '../../data/catalogue/sennheiser-earbuds.json' with { type: 'text' }
import sennheiserHeadphones from '../../data/catalogue/sennheiser-headphones.json' with { type: 'text' }
import sonosHeadphones from '../../data/catalogue/sonos-headphones.json' with { type: 'text' }
import sonosSpeaker from '../../data/catalogue/sonos-speaker.json' with { type: 'text' }
import sonyCamera from '../../data/catalogue/sony-camera.json' with { type: 'text' }
import sonyEarbuds from '../../data/catalogue/sony-earbuds.json' with { type: 'text' }
import sonyHeadphones from '../../data/catalogue/sony-headphones.json' with { type: 'text' }
import sonyPlaystation from '../../data/catalogue/sony-playstation.json' with { type: 'text' }
import sonyVr from '../../data/catalogue/sony-vr.json' with { type: 'text' }
import sonyXperia from '../../data/catalogue/sony-xperia.json' with { type: 'text' }
import valveConsole from '../../data/catalogue/valve-console.json' with { type: 'text' }
import valveVr from '../../data/catalogue/valve-vr.json' with { type: 'text' }
import xiaomiPhone from '../../data/catalogue/xiaomi-phone.json' with { type: 'text' }
import xiaomiTablet from '../../data/catalogue/xiaomi-tablet.json' with { type: 'text' }
import tacText from '../../data/tacs/phones.json' with { type: 'text' }
import type { Device } from './device.ts'
import { expandFamily, type Family } from './family.ts'

/**
 * In the order the catalogue shows equals: imported one by one so that the one-file program carries them, and as text,
 * because a start that finds them in the store already need not read them at all.
 */
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
] as unknown as readonly string[]

/** Raise it when the same files expand to other devices. */
const EXPANSION = '1'

/** The devices every installation starts with; our own facts, see docs/decisions.md "Catalogue". */
export function devicesOnBoard(): readonly Device[] {
  return FAMILIES.flatMap((text) => expandFamily(JSON.parse(text) as Family))
}

/** Changes exactly when a fact on board changes, so that a store knows whether it holds the newest. */
export function catalogueVersion(): string {
  return createHash('sha256')
    .update([EXPANSION, ...FAMILIES, tacText].join('\n'))
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
export function tacsOnBoard(devices: readonly Device[] = devicesOnBoard()): readonly TacOnBoard[] {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const lines = JSON.parse(tacText as unknown as string) as { device: string; confidence: number; tacs: string[] }[]
  return lines.flatMap(({ device: deviceId, confidence, tacs }) => {
    const device = byId.get(deviceId)
    if (!device) throw new Error(`The TACs on board name a device that is not: ${deviceId}`)
    return tacs.map((tac) => ({ tac, deviceId, make: device.make, model: device.name, confidence, source: 'on-board' }))
  })
}
