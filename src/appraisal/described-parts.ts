/** The defects that parts, states and phrases of a description mean. */
import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { Mention, PartName, StateName, StatePhrase } from './description-lexicon.ts'

type PartRule = { readonly codes: readonly DefectCode[]; readonly states: readonly StateName[] }

const FAULTS: readonly StateName[] = ['broken', 'damaged', 'failing', 'troubled', 'weak', 'worn']
const GLASS_FAULTS: readonly StateName[] = ['cracked', ...FAULTS]

/** The defects that a part and its state mean. */
export const PART_RULES: Readonly<Record<PartName, PartRule>> = {
  screen: { codes: ['cracked_screen'], states: GLASS_FAULTS },
  back: { codes: ['cracked_back'], states: [...GLASS_FAULTS, 'missing'] },
  glass: { codes: ['cracked_screen', 'lens'], states: GLASS_FAULTS },
  battery: { codes: ['weak_battery'], states: GLASS_FAULTS },
  camera: { codes: ['camera', 'lens'], states: GLASS_FAULTS },
  lens: { codes: ['lens', 'camera'], states: GLASS_FAULTS },
  sound: { codes: ['speaker_or_microphone'], states: [...GLASS_FAULTS, 'missing'] },
  earbud: { codes: ['missing_earbud', 'speaker_or_microphone'], states: [...GLASS_FAULTS, 'missing'] },
  ear_cushions: { codes: ['ear_cushions'], states: [...GLASS_FAULTS, 'missing'] },
  buttons: { codes: ['buttons', 'keyboard_or_trackpad'], states: [...GLASS_FAULTS, 'missing'] },
  biometric: { codes: ['biometric_sensor'], states: [...FAULTS, 'missing'] },
  charging: { codes: ['charging_port', 'ports'], states: FAULTS },
  sim: { codes: ['sim_reader'], states: [...FAULTS, 'missing'] },
  radio: { codes: ['radio'], states: [...FAULTS, 'missing'] },
  headphone_jack: { codes: ['headphone_jack'], states: FAULTS },
  keyboard: { codes: ['keyboard_or_trackpad', 'buttons'], states: [...GLASS_FAULTS, 'missing'] },
  hinge: { codes: ['hinge'], states: GLASS_FAULTS },
  fan: { codes: ['fan'], states: FAULTS },
  stick: { codes: ['stick_drift'], states: [...FAULTS, 'drift'] },
  disc_drive: { codes: ['disc_drive'], states: FAULTS },
  storage_drive: { codes: ['storage_drive'], states: [...FAULTS, 'missing'] },
  ports: { codes: ['ports', 'charging_port'], states: GLASS_FAULTS },
  image_sensor: { codes: ['image_sensor'], states: GLASS_FAULTS },
  panel_or_sensor: { codes: ['image_sensor', 'cracked_screen'], states: GLASS_FAULTS },
  shutter: { codes: ['shutter'], states: GLASS_FAULTS },
  viewfinder: { codes: ['viewfinder'], states: GLASS_FAULTS },
  gimbal: { codes: ['gimbal', 'camera'], states: GLASS_FAULTS },
  motor: { codes: ['motor', 'speaker_or_microphone'], states: GLASS_FAULTS },
}
/** "no Face ID": these parts belong to the device, so that their absence is a defect. */
export const DEFECTIVE_IF_ABSENT = new Set<PartName>(['biometric', 'sound', 'radio', 'camera', 'storage_drive'])
/** "no back cover", "without keyboard": the device is incomplete, and no field says so. */
export const UNREAD_IF_ABSENT = new Set<PartName>(['screen', 'back', 'battery', 'keyboard', 'buttons', 'stick', 'lens'])
export const WORN = new Set<Condition>(['Fair', 'Poor'])
/** Scratches on these show in every picture, so that they are a defect and no wear. */
export const SCRATCHED_OPTICS: Readonly<Partial<Record<PartName, readonly DefectCode[]>>> = {
  image_sensor: ['image_sensor'],
  lens: ['lens'],
  viewfinder: ['viewfinder'],
}
/** "new battery", "display good": says nothing about the grade of the device. */
export const PARTS_IN_GOOD_STATE = new Set<PartName>(['screen', 'back', 'glass', 'battery'])

/** What a state means if the text names no part. The other states are unread words or describe the grade. */
export const STATE_ALONE: Readonly<Partial<Record<StateName, readonly DefectCode[] | 'unread' | 'Fair'>>> = {
  cracked: ['cracked_screen', 'cracked_back'],
  broken: ['no_power'],
  failing: ['no_power'],
  damaged: 'unread',
  troubled: 'unread',
  missing: 'unread',
  weak: 'unread',
  drift: ['stick_drift'],
  worn: 'Fair',
}

/** "case broken" of earbuds, which are sold with it. */
export const CASE_FAULTS: Readonly<Partial<Record<StateName, readonly DefectCode[]>>> = {
  broken: ['missing_earbud'],
  failing: ['missing_earbud'],
  missing: ['missing_earbud'],
  cracked: ['cracked_back'],
  damaged: ['cracked_back'],
  troubled: ['cracked_back'],
}
/** "crease line dead": the state belongs to the phrase before it, not to the device. */
export const PICTURE_PHRASES = new Set<StatePhrase>(['cracked_screen', 'image_errors', 'no_picture', 'stick_drift'])

/** A device that is sold for parts counts as one that does not work. */
export const PHRASE_CODES: Readonly<Record<StatePhrase, readonly DefectCode[]>> = {
  activation_locked: ['activation_locked'],
  no_power: ['no_power'],
  for_parts: ['no_power'],
  water_damage: ['water_damage'],
  cracked_screen: ['cracked_screen', 'image_errors'],
  cracked_back: ['cracked_back'],
  weak_battery: ['weak_battery'],
  charging_port: ['charging_port'],
  sim_reader: ['sim_reader'],
  radio: ['radio'],
  missing_earbud: ['missing_earbud'],
  stick_drift: ['stick_drift'],
  missing_accessories: ['missing_accessories'],
  image_errors: ['image_errors', 'cracked_screen'],
  no_picture: ['cracked_screen', 'ports', 'no_power'],
  disc_drive: ['disc_drive', 'ports'],
  speaker_or_microphone: ['speaker_or_microphone', 'missing_earbud'],
  fan: ['fan'],
  camera: ['camera', 'lens'],
  buttons: ['buttons'],
  biometric_sensor: ['biometric_sensor'],
}

/** A bud that is quiet or crackles is not dead. */
export function codesOfPart(mention: Mention, state: StateName | null = null): readonly DefectCode[] {
  if (mention.kind !== 'part') return []
  const isAudible = mention.part === 'earbud' && (state === 'weak' || state === 'troubled')
  return isAudible ? PART_RULES.sound.codes : PART_RULES[mention.part].codes
}
