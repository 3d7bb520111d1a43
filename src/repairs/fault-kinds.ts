import type { PART_AVAILABILITIES, REPAIR_DIFFICULTIES } from '../contract/repair.ts'

/** Faults, repairs and parts share one vocabulary, so that statistics, costs and facts can be joined. */

/** Most specific first: facts of a variant override those of its device, its line and its category. */
export const FACT_LEVELS = ['variant', 'device', 'line', 'category'] as const
export type FactLevel = (typeof FACT_LEVELS)[number]

export type Difficulty = (typeof REPAIR_DIFFICULTIES)[number]
export type Availability = (typeof PART_AVAILABILITIES)[number]

type FaultTexts = {
  /** Text of the failure point, if no source has a more specific one. */
  readonly failure: string
  /** The repair of the fault, and the part it needs. */
  readonly repair: string
  readonly part: string
}

/** To add a kind of fault, add a line here and, if a part repairs it, its costs in `data/repairs/part-costs.json`. */
export const FAULTS = {
  screen: {
    failure: 'Cracked or failing display',
    repair: 'Display replacement',
    part: 'Display assembly',
  },
  battery: {
    failure: 'Battery worn or not charging',
    repair: 'Battery replacement',
    part: 'Battery',
  },
  'charging-port': {
    failure: 'Charging port worn, loose or dirty',
    repair: 'Charging port replacement',
    part: 'Charging port assembly',
  },
  'back-cover': { failure: 'Cracked back or damaged housing', repair: 'Back cover replacement', part: 'Back cover' },
  camera: { failure: 'Camera not focusing or blurred', repair: 'Rear camera replacement', part: 'Rear camera module' },
  speaker: { failure: 'Speaker silent or distorted', repair: 'Loudspeaker replacement', part: 'Loudspeaker' },
  microphone: { failure: 'Microphone not picking up sound', repair: 'Microphone replacement', part: 'Microphone' },
  buttons: { failure: 'Power or volume buttons stuck', repair: 'Button replacement', part: 'Button assembly' },
  'headphone-jack': { failure: 'Headphone jack loose', repair: 'Headphone jack replacement', part: 'Headphone jack' },
  'sim-slot': { failure: 'SIM not detected', repair: 'SIM reader replacement', part: 'SIM reader' },
  'memory-card': { failure: 'Memory card not read', repair: 'Card reader replacement', part: 'Card reader' },
  connectivity: { failure: 'Weak or missing radio', repair: 'Antenna replacement', part: 'Antenna' },
  liquid: { failure: 'Liquid damage', repair: 'Liquid damage treatment', part: 'Cleaning supplies' },
  board: { failure: 'Main board failure', repair: 'Main board replacement', part: 'Main board' },
  storage: { failure: 'Storage failing or full', repair: 'Storage drive replacement', part: 'Storage drive' },
  keyboard: { failure: 'Keys stuck or not registering', repair: 'Keyboard replacement', part: 'Keyboard' },
  trackpad: { failure: 'Trackpad not clicking', repair: 'Trackpad replacement', part: 'Trackpad' },
  hinge: { failure: 'Hinge loose or broken', repair: 'Hinge replacement', part: 'Hinge' },
  fan: { failure: 'Overheating or noisy fan', repair: 'Fan replacement', part: 'Fan' },
  ports: { failure: 'Ports or connectors damaged', repair: 'Port board replacement', part: 'Port board' },
  'optical-drive': {
    failure: 'Disc drive not reading discs',
    repair: 'Disc drive replacement',
    part: 'Disc drive',
  },
  'hdmi-port': { failure: 'Bent or broken HDMI port', repair: 'HDMI port replacement', part: 'HDMI port' },
  stick: { failure: 'Stick drift', repair: 'Analogue stick replacement', part: 'Analogue stick module' },
  'power-supply': { failure: 'Power supply failure', repair: 'Power supply replacement', part: 'Power supply' },
  crown: { failure: 'Crown or side button not responding', repair: 'Crown replacement', part: 'Crown assembly' },
  sensor: { failure: 'Sensor failure', repair: 'Sensor replacement', part: 'Sensor assembly' },
  lens: { failure: 'Lens scratched or not focusing', repair: 'Lens replacement', part: 'Lens assembly' },
  shutter: { failure: 'Shutter worn or stuck', repair: 'Shutter replacement', part: 'Shutter unit' },
  viewfinder: { failure: 'Viewfinder dark or cracked', repair: 'Viewfinder replacement', part: 'Viewfinder' },
  gimbal: { failure: 'Gimbal damaged', repair: 'Gimbal replacement', part: 'Gimbal assembly' },
  motor: { failure: 'Motor worn or damaged', repair: 'Motor replacement', part: 'Motor' },
  'ear-cushions': { failure: 'Ear cushions worn', repair: 'Ear cushion replacement', part: 'Ear cushions' },
  earbud: { failure: 'Bud or case lost or dead', repair: 'Single bud or case replacement', part: 'Single bud or case' },
  software: { failure: 'Software faults', repair: 'Software restore', part: 'Software' },
} as const satisfies Record<string, FaultTexts>

export type FaultKind = keyof typeof FAULTS
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[]

/** Parts that no repair is named after. */
export const EXTRA_PARTS = { adhesive: 'Adhesive set', other: 'Other part' } as const
export type PartKind = FaultKind | keyof typeof EXTRA_PARTS
export const PART_KINDS = [...FAULT_KINDS, ...(Object.keys(EXTRA_PARTS) as (keyof typeof EXTRA_PARTS)[])] as const

export function isFaultKind(word: string): word is FaultKind {
  return Object.hasOwn(FAULTS, word)
}

export function partName(kind: PartKind): string {
  return isFaultKind(kind) ? FAULTS[kind].part : EXTRA_PARTS[kind]
}
