import { CONDITION_GRADES, type ConditionGrade } from './condition-grades.ts'
import { DEFECT_DEFINITIONS, type DefectCode, type DefectDefinition } from './defect-catalogue.ts'

/**
 * Kinds of devices that differ in their grade texts and defects. They follow the categories of the registry, but separate
 * foldables from other phones, handhelds from consoles, and devices with a screen of their own from those without.
 */
export const DEVICE_KINDS = [
  'phone',
  'foldable',
  'tablet',
  'e_reader',
  'media_player',
  'laptop',
  'desktop',
  'all_in_one',
  'watch',
  'console',
  'handheld',
  'vr_headset',
  'headphones',
  'earbuds',
  'speaker',
  'smart_display',
  'streaming_player',
  'camera',
  'action_camera',
  'drone',
  'graphics_card',
] as const
export type DeviceKind = (typeof DEVICE_KINDS)[number]

type Words = { readonly name?: string; readonly description: string }

type KindRules = {
  readonly hasScreen: boolean
  /** `percent` where the device reports its battery health. */
  readonly battery: 'percent' | 'unmeasured' | null
  readonly defects: Defects
  /** Wording for this kind where the general one does not fit. */
  readonly words?: Readonly<Partial<Record<DefectCode, Words>>>
}

const HOUSING: Words = { name: 'Damaged housing', description: 'The housing is cracked, dented through or bent.' }
const BLUETOOTH: Words = { name: 'Bluetooth', description: 'Does not connect, or loses the connection.' }
const ACCOUNT_BAN: Words = {
  name: 'Account lock or ban',
  description: "Locked to its owner's account, or banned from online services.",
}

type Defects = readonly DefectCode[]
const without = (defects: Defects, ...excluded: Defects) => defects.filter((code) => !excluded.includes(code))

/** Possible with any device. */
const ALWAYS: Defects = ['no_power', 'water_damage', 'missing_accessories']
const CONNECTED: Defects = ['radio', 'activation_locked', ...ALWAYS]
const GLASS: Defects = ['cracked_screen', 'cracked_back']
const BATTERY: Defects = ['weak_battery', 'charging_port']
const SOUND_AND_BUTTONS: Defects = ['speaker_or_microphone', 'buttons']
const COMPUTER: Defects = ['fan', 'ports', 'storage_drive', 'disc_drive']
/** A small device with a screen, a battery and sound. */
const PORTABLE: Defects = [...GLASS, ...BATTERY, ...SOUND_AND_BUTTONS, ...CONNECTED]
const MEDIA_PLAYER: Defects = [...PORTABLE, 'headphone_jack', 'camera']
const PHONE: Defects = [...MEDIA_PLAYER, 'biometric_sensor', 'sim_reader', 'carrier_locked']
const DESKTOP: Defects = ['cracked_back', 'buttons', 'headphone_jack', ...COMPUTER, ...CONNECTED]
const HEADPHONES: Defects = ['cracked_back', ...BATTERY, ...SOUND_AND_BUTTONS, ...CONNECTED]
const SPEAKER: Defects = [...HEADPHONES, 'ports']
const SOUND: Words = { description: 'One side is silent, sound is distorted, or callers cannot hear.' }

const KINDS: Readonly<Record<DeviceKind, KindRules>> = {
  phone: { hasScreen: true, battery: 'percent', defects: PHONE },
  foldable: {
    hasScreen: true,
    battery: 'percent',
    defects: [...PHONE, 'hinge'],
    words: {
      cracked_screen: {
        description: 'The folding or the cover screen is broken, or shows lines, spots or dead areas.',
      },
      hinge: { description: 'Does not open flat, does not hold its position, or grinds.' },
    },
  },
  tablet: { hasScreen: true, battery: 'percent', defects: PHONE },
  e_reader: { hasScreen: true, battery: 'unmeasured', defects: without(PORTABLE, 'speaker_or_microphone') },
  media_player: { hasScreen: true, battery: 'unmeasured', defects: MEDIA_PLAYER },
  laptop: {
    hasScreen: true,
    battery: 'percent',
    defects: [
      ...without(PHONE, 'buttons', 'sim_reader', 'carrier_locked'),
      'keyboard_or_trackpad',
      'hinge',
      ...COMPUTER,
    ],
    words: {
      cracked_back: { name: 'Damaged housing', description: 'Lid or base is cracked, dented through or bent.' },
    },
  },
  desktop: { hasScreen: false, battery: null, defects: DESKTOP, words: { cracked_back: HOUSING } },
  all_in_one: {
    hasScreen: true,
    battery: null,
    defects: ['cracked_screen', 'camera', 'speaker_or_microphone', ...DESKTOP],
    words: { cracked_back: HOUSING },
  },
  watch: {
    hasScreen: true,
    battery: 'percent',
    defects: [...PORTABLE, 'biometric_sensor'],
    words: {
      charging_port: { name: 'Charging', description: 'Does not charge, or only in some positions on the charger.' },
      buttons: { name: 'Crown or buttons', description: 'The crown or a button is stuck, missing or without effect.' },
      biometric_sensor: { name: 'Health sensor', description: 'Heart rate or another health value is not measured.' },
      missing_accessories: { description: 'Band or charger is missing.' },
    },
  },
  console: {
    hasScreen: false,
    battery: null,
    defects: ['cracked_back', 'buttons', 'stick_drift', ...COMPUTER, ...CONNECTED],
    words: {
      cracked_back: HOUSING,
      activation_locked: ACCOUNT_BAN,
      missing_accessories: { description: 'Controller, power cable or video cable is missing.' },
    },
  },
  handheld: {
    hasScreen: true,
    battery: 'unmeasured',
    defects: [...PORTABLE, 'headphone_jack', 'hinge', 'stick_drift', ...without(COMPUTER, 'disc_drive')],
    words: {
      cracked_back: HOUSING,
      weak_battery: { description: 'Runs for less than half as long as a new one, swells or shuts down early.' },
      ports: { name: 'Ports or card slot', description: 'A port or the slot for games or cards is damaged.' },
      activation_locked: ACCOUNT_BAN,
      missing_accessories: { description: 'Charger, dock or a controller is missing.' },
    },
  },
  vr_headset: {
    hasScreen: true,
    battery: 'unmeasured',
    defects: [...MEDIA_PLAYER, 'lens', 'fan', 'ports', 'stick_drift'],
    words: {
      cracked_screen: { name: 'Display', description: 'The picture has lines, spots or dead areas, or is dark.' },
      cracked_back: HOUSING,
      camera: { name: 'Tracking camera', description: 'Tracking is lost, or a camera is cracked or black.' },
      missing_accessories: { description: 'Controller, face pad, charger or cable is missing.' },
    },
  },
  headphones: {
    hasScreen: false,
    battery: 'unmeasured',
    defects: [...HEADPHONES, 'headphone_jack', 'hinge', 'ear_cushions'],
    words: {
      cracked_back: { name: 'Damaged housing', description: 'Headband or ear cup is cracked or broken.' },
      weak_battery: { description: 'Plays for less than half as long as a new one, or does not charge.' },
      speaker_or_microphone: SOUND,
      radio: BLUETOOTH,
      hinge: { description: 'A hinge or slider is loose, stiff or broken.' },
      missing_accessories: { description: 'Case, cable or adapter is missing.' },
    },
  },
  earbuds: {
    hasScreen: false,
    battery: 'unmeasured',
    defects: [...HEADPHONES, 'missing_earbud'],
    words: {
      cracked_back: { name: 'Damaged housing', description: 'A bud or the case is cracked, or its lid is broken.' },
      weak_battery: { description: 'A bud or the case holds less than half of its charge.' },
      speaker_or_microphone: SOUND,
      radio: BLUETOOTH,
      missing_accessories: { description: 'Ear tips or cable are missing.' },
    },
  },
  speaker: { hasScreen: false, battery: 'unmeasured', defects: SPEAKER, words: { cracked_back: HOUSING } },
  smart_display: {
    hasScreen: true,
    battery: null,
    defects: ['cracked_screen', 'camera', ...without(SPEAKER, 'weak_battery')],
    words: { cracked_back: HOUSING },
  },
  streaming_player: {
    hasScreen: false,
    battery: null,
    defects: ['cracked_back', 'buttons', 'ports', ...CONNECTED],
    words: { cracked_back: HOUSING, missing_accessories: { description: 'Remote or power supply is missing.' } },
  },
  camera: {
    hasScreen: true,
    battery: 'unmeasured',
    defects: [
      ...without(PORTABLE, 'charging_port', 'activation_locked'),
      'lens',
      'image_sensor',
      'shutter',
      'viewfinder',
      'ports',
    ],
    words: {
      cracked_back: HOUSING,
      weak_battery: { description: 'The battery swells, or holds less than half of its charge.' },
      buttons: { name: 'Buttons or dials', description: 'A button or dial is stuck, missing or without effect.' },
      ports: { name: 'Ports or card slot', description: 'A port, the card slot or the flash shoe is damaged.' },
      speaker_or_microphone: { name: 'Microphone or speaker', description: 'Sound is missing or distorted.' },
      missing_accessories: { description: 'Battery, charger, body cap or a lens that belongs to it is missing.' },
    },
  },
  action_camera: {
    hasScreen: true,
    battery: 'unmeasured',
    defects: [...PORTABLE, 'lens', 'image_sensor', 'gimbal', 'ports'],
    words: {
      cracked_back: HOUSING,
      ports: { name: 'Card slot or door', description: 'The card slot is damaged, or a door is missing or leaks.' },
      missing_accessories: { description: 'Battery, mount, door or cable is missing.' },
    },
  },
  drone: {
    hasScreen: false,
    battery: 'unmeasured',
    defects: ['cracked_back', ...BATTERY, 'camera', 'gimbal', 'motor', 'ports', ...CONNECTED],
    words: {
      cracked_back: { name: 'Damaged frame', description: 'An arm, leg or the shell is cracked or bent.' },
      weak_battery: { description: 'A flight battery swells, reports a fault or holds less than 80 %.' },
      radio: { name: 'Radio or GPS', description: 'Link to the controller or satellite positioning fails.' },
      ports: { name: 'Ports or card slot', description: 'A port or the card slot is damaged.' },
      activation_locked: { name: 'Account lock', description: "Bound to its owner's account." },
      missing_accessories: { description: 'Controller, battery, charger or propellers are missing.' },
    },
  },
  graphics_card: {
    hasScreen: false,
    battery: null,
    defects: ['cracked_back', 'fan', 'ports', 'image_errors', ...ALWAYS],
    words: {
      cracked_back: { name: 'Damaged housing', description: 'Shroud, bracket or board is broken or bent.' },
      ports: { name: 'Display outputs', description: 'A display output is damaged or gives no picture.' },
      no_power: { name: 'Not detected', description: 'The computer does not start with it or does not detect it.' },
      missing_accessories: { description: 'Power adapter or bracket is missing.' },
    },
  },
}

/** Categories of the registry. A category that is not listed, such as one you imported, may have any defect. */
const KIND_OF_CATEGORY: Readonly<Record<string, DeviceKind>> = {
  smartphone: 'phone',
  'feature phone': 'phone',
  tablet: 'tablet',
  'e-reader': 'e_reader',
  'media player': 'media_player',
  laptop: 'laptop',
  desktop: 'desktop',
  smartwatch: 'watch',
  'fitness tracker': 'watch',
  'game console': 'console',
  'vr headset': 'vr_headset',
  headphones: 'headphones',
  earbuds: 'earbuds',
  'smart speaker': 'speaker',
  'portable speaker': 'speaker',
  'streaming player': 'streaming_player',
  camera: 'camera',
  'action camera': 'action_camera',
  drone: 'drone',
  'graphics card': 'graphics_card',
}

const WITH_SCREEN: Readonly<Partial<Record<DeviceKind, DeviceKind>>> = {
  console: 'handheld',
  desktop: 'all_in_one',
  speaker: 'smart_display',
}
const FOLDABLE_NAME = /\b(?:\w*fold|flip|razr|surface duo)\b|\b(?:fold|flip)\s?\d/i
const FOLDABLE_DISPLAY = /fold|^two /i

/** Null for a category without rules of its own. */
export function deviceKind(device: {
  readonly category: string
  readonly name: string
  readonly specifications: Readonly<Record<string, string>>
}): DeviceKind | null {
  const kind = KIND_OF_CATEGORY[device.category.toLowerCase()]
  if (!kind) return null
  const { display = '' } = device.specifications
  if (/^feature/i.test(device.category)) return kind
  if (kind === 'phone') return FOLDABLE_DISPLAY.test(display) || FOLDABLE_NAME.test(device.name) ? 'foldable' : kind
  // The Wii U is a console whose controller has the screen.
  return (display !== '' && !/gamepad/i.test(display) && WITH_SCREEN[kind]) || kind
}

const normalizeCategory = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
const KIND_BY_NAME = new Map<string, DeviceKind>([
  ...Object.entries(KIND_OF_CATEGORY).map(([name, kind]) => [normalizeCategory(name), kind] as const),
  ...DEVICE_KINDS.map((kind) => [normalizeCategory(kind), kind] as const),
])

/** Reads a kind (`foldable`) or a category of the registry (`Game Console`), in any letter case. */
export function parseDeviceKind(text: string): DeviceKind | undefined {
  return KIND_BY_NAME.get(normalizeCategory(text))
}

export type Defect = DefectDefinition & {
  readonly code: DefectCode
  /** Kinds of devices that can have it. */
  readonly categories: readonly DeviceKind[]
}

export const DEFECTS: readonly Defect[] = DEFECT_DEFINITIONS.map((definition) => ({
  ...definition,
  categories: DEVICE_KINDS.filter((kind) => KINDS[kind].defects.includes(definition.code)),
}))

const DEFECTS_BY_KIND: ReadonlyMap<DeviceKind, readonly Defect[]> = new Map(
  DEVICE_KINDS.map((kind) => {
    const { defects, words } = KINDS[kind]
    const possible = DEFECTS.filter(({ code }) => defects.includes(code))
    return [kind, possible.map((defect) => ({ ...defect, ...words?.[defect.code] }))]
  }),
)

/** The defects that a kind of device can have, in its own words; all of them without a kind. */
export const defectsOfKind = (kind: DeviceKind | null): readonly Defect[] =>
  (kind && DEFECTS_BY_KIND.get(kind)) ?? DEFECTS

/** The grades in words that fit a kind of device: no screen where there is none, no percentage where none can be read. */
export function gradesOfKind(kind: DeviceKind | null): readonly ConditionGrade[] {
  if (kind === null) return CONDITION_GRADES
  const { hasScreen, battery } = KINDS[kind]
  const noScratch = hasScreen && 'no screen scratch'
  const goodBattery = battery && { percent: 'battery at 80 % or more', unmeasured: 'battery holds its charge' }[battery]
  const weakBattery = battery && { percent: 'battery under 80 %', unmeasured: 'a weak battery' }[battery]
  const parts = {
    Excellent: ['Fully working', noScratch, 'body marks invisible at 20 cm', goodBattery],
    Good: ['Fully working', noScratch, 'light marks invisible at 50 cm', goodBattery],
    Fair: ['Fully working', 'visible scratches or dents'],
    Poor: ['Powers on and can be identified, but heavy wear', hasScreen && 'cracked glass', weakBattery],
  }
  return CONDITION_GRADES.map((grade) => ({
    ...grade,
    definition: `${parts[grade.name].filter(Boolean).join(', ')}${grade.name === 'Poor' ? ' or a faulty function' : ''}.`,
    screen: hasScreen ? grade.screen : null,
    battery_min_percent: battery === 'percent' ? grade.battery_min_percent : null,
  }))
}
