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

const upTo = (best_grade: Condition) => ({ gradable: true, best_grade, sellable: true })
const FAULTY = upTo('Poor')
/** Priced apart from the grade. */
const ANY_GRADE = { gradable: true, best_grade: null, sellable: true }
const NOT_WORKING = { gradable: false, best_grade: null, sellable: true }
const LOCKED = { gradable: false, best_grade: null, sellable: false }

const defect = <Code extends string>(
  code: Code,
  name: string,
  description: string,
  repairs: readonly string[],
  effect: Pick<DefectDefinition, 'gradable' | 'best_grade' | 'sellable'> = FAULTY,
): DefectDefinition & { readonly code: Code } => ({ code, name, description, repairs, ...effect })

/** To add a defect, add a line here and name the kinds of devices that can have it in `device-kinds.ts`. */
export const DEFECT_DEFINITIONS = [
  defect(
    'cracked_screen',
    'Cracked screen',
    'Glass of the screen broken, or the picture has lines, spots or dead areas.',
    ['screen'],
  ),
  defect('cracked_back', 'Cracked back', 'Glass or cover of the back broken, or the housing bent.', ['back-cover']),
  defect('weak_battery', 'Weak battery', 'Battery health under 80 %, or it swells or shuts down early.', ['battery']),
  defect('charging_port', 'Charging port', 'Does not charge, or only in some positions of the plug.', [
    'charging-port',
  ]),
  defect('camera', 'Camera', 'A camera does not focus, shakes, is cracked or black.', ['camera']),
  defect('speaker_or_microphone', 'Speaker or microphone', 'Sound is missing or distorted, or callers cannot hear.', [
    'speaker',
    'microphone',
  ]),
  defect('buttons', 'Buttons', 'A button is stuck, missing or without effect.', ['buttons', 'crown']),
  defect('biometric_sensor', 'Face or fingerprint sensor', 'Unlocking by face or fingerprint cannot be set up.', [
    'sensor',
  ]),
  defect('radio', 'Radio', 'Mobile network, Wi-Fi or Bluetooth weak or missing.', ['connectivity']),
  defect('sim_reader', 'SIM reader', 'The SIM card is not detected or its tray is missing.', ['sim-slot']),
  defect('headphone_jack', 'Headphone jack', 'Headphones are not detected or crackle.', ['headphone-jack']),
  defect(
    'keyboard_or_trackpad',
    'Keyboard or trackpad',
    'Keys stick, are missing or double, or the trackpad does not click.',
    ['keyboard', 'trackpad'],
  ),
  defect('hinge', 'Hinge', 'A hinge is loose, stiff or broken.', ['hinge']),
  defect('fan', 'Fan', 'Overheats, or the fan is loud or stands still.', ['fan']),
  defect('ports', 'Ports', 'A port for cables, screens or cards is damaged.', ['ports', 'hdmi-port']),
  defect('stick_drift', 'Stick drift', 'A control stick moves by itself.', ['stick']),
  defect('disc_drive', 'Disc drive', 'Discs are not read or not ejected.', ['optical-drive']),
  defect('storage_drive', 'Storage drive', 'The drive is failing or missing.', ['storage']),
  defect('lens', 'Lens', 'The lens is scratched, cracked, fogged or does not focus.', ['lens']),
  defect(
    'image_sensor',
    'Image sensor',
    'Pictures show dead pixels, lines or scratches that cleaning does not remove.',
    ['sensor'],
  ),
  defect('shutter', 'Shutter', 'The shutter sticks, exposes unevenly or reports an error.', ['shutter']),
  defect('viewfinder', 'Viewfinder', 'The viewfinder is dark, cracked or shows lines.', ['viewfinder']),
  defect('gimbal', 'Gimbal', 'The camera does not level, shakes or reports a gimbal error.', ['gimbal']),
  defect('motor', 'Motor', 'A motor does not turn, grinds or has play.', ['motor']),
  defect('image_errors', 'Image errors', 'The picture shows wrong colours, blocks or lines, or fails under load.', [
    'board',
  ]),
  defect('ear_cushions', 'Ear cushions', 'A cushion is torn, flaking or missing.', ['ear-cushions'], upTo('Fair')),
  defect('missing_earbud', 'Missing bud or case', 'One bud or the charging case is missing or dead.', ['earbud']),
  defect('no_power', 'No power', 'Does not switch on, so that nothing else can be tested.', ['board'], NOT_WORKING),
  defect('water_damage', 'Water damage', 'Traces of liquid inside; it may fail at any time.', ['liquid'], NOT_WORKING),
  defect(
    'activation_locked',
    'Activation lock',
    "Locked to its owner's account. It can be appraised again once the owner has removed the lock.",
    [],
    LOCKED,
  ),
  defect('carrier_locked', 'Carrier lock', 'Works with the SIM cards of one carrier only.', [], ANY_GRADE),
  defect(
    'missing_accessories',
    'Missing accessories',
    'Charger, cable, stylus or what else belongs to it is missing.',
    [],
    upTo('Good'),
  ),
]

export type DefectCode = (typeof DEFECT_DEFINITIONS)[number]['code']
export const DEFECT_CODES = DEFECT_DEFINITIONS.map(({ code }) => code) as [DefectCode, ...DefectCode[]]
