import type { Condition } from './condition-grades.ts'

export type DefectDefinition = {
  readonly code: string
  readonly name: string
  readonly description: string
  /** Repairs that fix it, by category; if several are possible, the most expensive one is assumed. */
  readonly repairs: readonly string[]
  /** Whether a device with this defect still has one of the four grades. */
  readonly gradable: boolean
  /** Best grade possible with this defect; null if none. */
  readonly best_grade: Condition | null
  /** Whether the device can be sold at all while it has it. */
  readonly sellable: boolean
}

const FAULTY = { gradable: true, best_grade: 'Poor', sellable: true } as const
const NOT_WORKING = { gradable: false, best_grade: null, sellable: true } as const

/** To add a defect, add a line here and name the kinds of devices that can have it in `device-kinds.ts`. */
export const DEFECT_DEFINITIONS = [
  {
    code: 'cracked_screen',
    name: 'Cracked screen',
    description: 'Glass of the screen broken, or the picture has lines, spots or dead areas.',
    repairs: ['screen'],
    ...FAULTY,
  },
  {
    code: 'cracked_back',
    name: 'Cracked back',
    description: 'Glass or cover of the back broken, or the housing bent.',
    repairs: ['back-cover'],
    ...FAULTY,
  },
  {
    code: 'weak_battery',
    name: 'Weak battery',
    description: 'Battery health under 80 %, or it swells or shuts down early.',
    repairs: ['battery'],
    ...FAULTY,
  },
  {
    code: 'charging_port',
    name: 'Charging port',
    description: 'Does not charge, or only in some positions of the plug.',
    repairs: ['charging-port'],
    ...FAULTY,
  },
  {
    code: 'camera',
    name: 'Camera',
    description: 'A camera does not focus, shakes, is cracked or black.',
    repairs: ['camera'],
    ...FAULTY,
  },
  {
    code: 'speaker_or_microphone',
    name: 'Speaker or microphone',
    description: 'Sound is missing or distorted, or callers cannot hear.',
    repairs: ['speaker', 'microphone'],
    ...FAULTY,
  },
  {
    code: 'buttons',
    name: 'Buttons',
    description: 'A button is stuck, missing or without effect.',
    repairs: ['buttons', 'crown'],
    ...FAULTY,
  },
  {
    code: 'biometric_sensor',
    name: 'Face or fingerprint sensor',
    description: 'Unlocking by face or fingerprint cannot be set up.',
    repairs: ['sensor'],
    ...FAULTY,
  },
  {
    code: 'radio',
    name: 'Radio',
    description: 'Mobile network, Wi-Fi or Bluetooth weak or missing.',
    repairs: ['connectivity'],
    ...FAULTY,
  },
  {
    code: 'sim_reader',
    name: 'SIM reader',
    description: 'The SIM card is not detected or its tray is missing.',
    repairs: ['sim-slot'],
    ...FAULTY,
  },
  {
    code: 'headphone_jack',
    name: 'Headphone jack',
    description: 'Headphones are not detected or crackle.',
    repairs: ['headphone-jack'],
    ...FAULTY,
  },
  {
    code: 'keyboard_or_trackpad',
    name: 'Keyboard or trackpad',
    description: 'Keys stick, are missing or double, or the trackpad does not click.',
    repairs: ['keyboard', 'trackpad'],
    ...FAULTY,
  },
  {
    code: 'hinge',
    name: 'Hinge',
    description: 'A hinge is loose, stiff or broken.',
    repairs: ['hinge'],
    ...FAULTY,
  },
  {
    code: 'fan',
    name: 'Fan',
    description: 'Overheats, or the fan is loud or stands still.',
    repairs: ['fan'],
    ...FAULTY,
  },
  {
    code: 'ports',
    name: 'Ports',
    description: 'A port for cables, screens or cards is damaged.',
    repairs: ['ports', 'hdmi-port'],
    ...FAULTY,
  },
  {
    code: 'stick_drift',
    name: 'Stick drift',
    description: 'A control stick moves by itself.',
    repairs: ['stick'],
    ...FAULTY,
  },
  {
    code: 'disc_drive',
    name: 'Disc drive',
    description: 'Discs are not read or not ejected.',
    repairs: ['optical-drive'],
    ...FAULTY,
  },
  {
    code: 'storage_drive',
    name: 'Storage drive',
    description: 'The drive is failing or missing.',
    repairs: ['storage'],
    ...FAULTY,
  },
  {
    code: 'lens',
    name: 'Lens',
    description: 'The lens is scratched, cracked, fogged or does not focus.',
    repairs: ['lens'],
    ...FAULTY,
  },
  {
    code: 'image_sensor',
    name: 'Image sensor',
    description: 'Pictures show dead pixels, lines or scratches that cleaning does not remove.',
    repairs: ['sensor'],
    ...FAULTY,
  },
  {
    code: 'shutter',
    name: 'Shutter',
    description: 'The shutter sticks, exposes unevenly or reports an error.',
    repairs: ['shutter'],
    ...FAULTY,
  },
  {
    code: 'viewfinder',
    name: 'Viewfinder',
    description: 'The viewfinder is dark, cracked or shows lines.',
    repairs: ['viewfinder'],
    ...FAULTY,
  },
  {
    code: 'gimbal',
    name: 'Gimbal',
    description: 'The camera does not level, shakes or reports a gimbal error.',
    repairs: ['gimbal'],
    ...FAULTY,
  },
  {
    code: 'motor',
    name: 'Motor',
    description: 'A motor does not turn, grinds or has play.',
    repairs: ['motor'],
    ...FAULTY,
  },
  {
    code: 'image_errors',
    name: 'Image errors',
    description: 'The picture shows wrong colours, blocks or lines, or fails under load.',
    repairs: ['board'],
    ...FAULTY,
  },
  {
    code: 'ear_cushions',
    name: 'Ear cushions',
    description: 'A cushion is torn, flaking or missing.',
    repairs: ['ear-cushions'],
    gradable: true,
    best_grade: 'Fair',
    sellable: true,
  },
  {
    code: 'missing_earbud',
    name: 'Missing bud or case',
    description: 'One bud or the charging case is missing or dead.',
    repairs: ['earbud'],
    ...FAULTY,
  },
  {
    code: 'no_power',
    name: 'No power',
    description: 'Does not switch on, so that nothing else can be tested.',
    repairs: ['board'],
    ...NOT_WORKING,
  },
  {
    code: 'water_damage',
    name: 'Water damage',
    description: 'Traces of liquid inside; it may fail at any time.',
    repairs: ['liquid'],
    ...NOT_WORKING,
  },
  {
    code: 'activation_locked',
    name: 'Activation lock',
    description: "Locked to its owner's account. It can be appraised again once the owner has removed the lock.",
    repairs: [],
    gradable: false,
    best_grade: null,
    sellable: false,
  },
  {
    code: 'carrier_locked',
    name: 'Carrier lock',
    description: 'Works with the SIM cards of one carrier only.',
    repairs: [],
    gradable: true,
    best_grade: 'Fair',
    sellable: true,
  },
  {
    code: 'missing_accessories',
    name: 'Missing accessories',
    description: 'Charger, cable, stylus or what else belongs to it is missing.',
    repairs: [],
    gradable: true,
    best_grade: 'Good',
    sellable: true,
  },
] as const satisfies readonly DefectDefinition[]

export type DefectCode = (typeof DEFECT_DEFINITIONS)[number]['code']
export const DEFECT_CODES = DEFECT_DEFINITIONS.map(({ code }) => code) as [DefectCode, ...DefectCode[]]
