/**
 * What a shop should know before a repair: codes with their English sentences. The API sends both; pages write the sentence of the
 * code in their language (`codes.repairNote` of the locales).
 */
const REPAIR_NOTES = {
  opens_front: 'The display comes off first; other parts are reached from the front.',
  opens_back: 'Every repair begins with the glued back cover.',
  opens_both_sides: 'Opens from the front and from the back.',
  back_screwed: 'The back is held by screws.',
  back_by_hand: 'The back comes off by hand.',
  display_first_at_risk: 'The glued display must come off for every repair and breaks easily.',
  front_glued: 'The front is glued over its whole edge: warm it well before lifting it.',
  seal_renewed: 'Renew the seal after opening, or the water resistance is gone.',
  seal_untrusted: 'The case is sealed against water; after an opening the seal cannot be trusted.',
  cables_tear: 'Cables lie close under the cover and tear when it is opened too far.',
  screws_under_feet: 'Screws are hidden under the feet.',
  one_screwdriver: 'One screwdriver opens everything.',
  modular: 'Parts are screwed in and are replaced one by one.',
  battery_no_tools: 'The battery comes out without tools.',
  battery_mostly_no_tools: 'The battery of most models comes out without tools.',
  battery_built_in: 'The battery is built in.',
  battery_glued: 'The battery is glued in: loosen it with heat or alcohol, never with metal tools.',
  battery_strips: 'The battery is held by stretch-release strips.',
  battery_pull_tab: 'The battery has a pull tab.',
  battery_screwed: 'The battery is held by screws.',
  battery_debonds: 'The battery lets go of its adhesive when a low direct voltage is applied.',
  battery_through_back: 'The battery is reached through the back.',
  battery_under_display: 'The battery is reached right under the display.',
  battery_two: 'It has two batteries, one in each half.',
  battery_button_cell: 'Each bud holds a button cell of a common size.',
  battery_none: 'It has no battery; power comes through its cable.',
  battery_pack_outside: 'The battery is a pack outside the headset and is replaced as a whole.',
  battery_discharge: 'Discharge the battery below 25 % before opening: a punctured cell burns.',
  battery_disconnect: 'Disconnect the battery before working inside.',
  battery_with_display: 'The maker sells the battery only together with the display.',
  battery_differs: 'The battery of {models} does not fit.',
  display_laminated: 'Glass and display are one part: a crack means the whole display.',
  display_glass_separate: 'Glass and LCD are separate: cracked glass alone is a cheap part.',
  display_with_frame: 'The display is replaced together with its frame.',
  display_with_hinge: 'The inner display comes with frame and hinge as one assembly.',
  display_cheap: 'The display is an LCD and cheaper than an OLED.',
  display_expensive: 'The display is by far the most expensive part.',
  display_interchanges: 'Interchangeable displays: {models}.',
  display_layer: 'The protective layer of the inner display is part of it and must stay on.',
  display_pen: 'The pen digitiser lies under the display and is easily damaged.',
  display_green_line: 'A green line is a failing display, not a software fault.',
  display_pressure: 'The display breaks from pressure that leaves no mark on the glass.',
  display_not_paired:
    'A display that is not paired shows a message about its origin; True Tone is lost unless its data is carried over.',
  display_face_id: 'Before iOS 15.2 a display change switches Face ID off.',
  display_edge: 'The glass reaches the edge and chips there.',
  sensors_move: 'The earpiece and sensor assembly must move to the new display.',
  home_button_moves: 'The original home button must move to the new display, or Touch ID is lost.',
  home_button_paired: 'The home button only works with its own main board.',
  fingerprint_calibrated: "The fingerprint sensor is calibrated with the maker's public web tool.",
  camera_paired: "Cameras that are not configured with the maker's tool show a message or lose functions.",
  parts_configurable: "Used genuine parts can be configured on the device with the maker's repair assistant.",
  rear_glass_bonded: 'The rear glass is bonded to the frame: replacing it needs a laser or a whole housing.',
  rear_glass_separate: 'The rear glass comes off by itself.',
  back_plastic: 'The plastic back is clipped or glued and lifts with little heat.',
  back_glass_loosens: 'The glass on the back can come off its glue.',
  housing_bends: 'The thin housing bends; a bent one breaks the next display.',
  port_soldered: 'The charging port is soldered to the main board.',
  port_separate: 'The charging port is a part of its own.',
  port_behind_display: 'Replacing the charging port means taking the display off, which usually ruins it.',
  ports_modular: 'Ports are modular.',
  memory_soldered: 'Memory is soldered.',
  memory_sockets: 'Memory sits in sockets and can be replaced.',
  memory_and_storage_soldered: 'Memory and storage are soldered.',
  storage_soldered: 'Storage is soldered.',
  storage_maker: "Storage is a module of the maker's own kind.",
  storage_replaceable: 'The storage drive (M.2) can be replaced.',
  storage_m2_added: 'An M.2 drive can be added in minutes.',
  storage_door: 'The storage drive is changed without opening the case.',
  storage_prepared: "A new drive must be prepared with the console's partitions.",
  storage_bound: 'The storage only works with its own main board.',
  no_fan: 'It has no fan.',
  board_stacked: 'The main board has two layers: board repairs are slow.',
  disc_drive_bound: 'The disc drive is bound to its console: its board must move to the new drive.',
  disc_drive_registered: 'The disc drive clicks in and out and is registered over the network.',
  liquid_metal: 'Liquid metal cools the processor: never open that seal without the means to renew it.',
  thermal_paste: 'Renew the thermal paste when the heat sink comes off.',
  sticks_inside: 'The sticks are inside the console: drift means opening it.',
  card_out_first: 'Take the memory card out before opening, or it breaks.',
  unplug_and_wait: 'Unplug it and wait a minute: power supplies hold a charge.',
  buds_glued: 'Buds are glued shut and seldom survive an opening; makers replace single pieces.',
  ear_cushions: 'Worn ear cushions are the cheapest repair and usually need no tools.',
  case_glued: 'The case is glued shut.',
  clean_first: 'Overheating is mostly dust and dried thermal paste: clean it before ordering parts.',
  sun_on_lenses: 'Sun on the lenses burns the displays within minutes.',
  sensor_adjusted: 'Work on shutter or sensor belongs to a service centre: the sensor is adjusted afterwards.',
  propellers: 'The propellers come off without a workshop.',
  fly_test: 'After a repair of an arm, a motor or the gimbal calibrate and fly a test.',
  lens_cover: 'The lens cover comes off by hand and is sold on its own.',
  keyboard_cover_glued: 'The fabric keyboard cover is glued and does not survive an opening.',
  pop_up_camera: 'The pop-up front camera is a motor assembly of its own.',
  parts_not_sold: 'The maker sells no parts to the public.',
  parts_old_stock: 'The maker left the phone business: genuine parts are old stock.',
  manual_published: 'The maker publishes the repair manual.',
  spec_display: 'Screen: {value}.',
  spec_battery: 'Battery: {value}.',
  score_rubric: 'The repairability score was given by the rubric of {year}.',
  score_of_line: 'The repairability score is that of the line, not of this model.',
  score_of_category: 'The repairability score is that of the category, not of this model.',
  no_repairs: 'No repairs are documented for this device.',
  parts_programme: "The maker's public parts programme lists: {parts}.",
  cost_reference: 'Part costs are reference ranges by launch price, class, display and age, not quotations.',
  cost_average:
    'The average repair cost is parts and labour, at {rate} an hour for a third of the documented time (a refurbisher) up to all of it.',
  cost_return: 'The return on repair takes its lower end: a good aftermarket part fitted by a refurbisher.',
  labour_missing: 'Labour is not included where no time is documented: {repairs}.',
} as const

export type RepairNoteCode = keyof typeof REPAIR_NOTES
export const REPAIR_NOTE_CODES = Object.keys(REPAIR_NOTES) as [RepairNoteCode, ...RepairNoteCode[]]

/** Parts and repairs are lists of codes; a rate is in cents. */
export type RepairNoteParams = Readonly<Record<string, string | number | readonly string[]>>

/** A note of a source: a code, a code with the models it names, or free text of an import. */
export type RepairNote = string | { readonly code: RepairNoteCode; readonly models: string }

/** A note of a response. Free text has no code. */
export type PresentedNote = {
  readonly text: string
  readonly code: RepairNoteCode | null
  readonly params: RepairNoteParams
}

export function isRepairNoteCode(text: string): text is RepairNoteCode {
  return Object.hasOwn(REPAIR_NOTES, text)
}

/** `shown` replaces parameters whose English text differs from their value. */
export function presentNote(
  code: RepairNoteCode,
  params: RepairNoteParams = {},
  shown: Readonly<Record<string, string>> = {},
): PresentedNote {
  const text = REPAIR_NOTES[code].replace(/\{(\w+)\}/g, (_, name: string) => shown[name] ?? String(params[name] ?? ''))
  return { text, code, params }
}

export function presentSourceNote(note: RepairNote): PresentedNote {
  if (typeof note !== 'string') return presentNote(note.code, { models: note.models })
  return isRepairNoteCode(note) ? presentNote(note) : { text: note, code: null, params: {} }
}

/** Notes on the same question, such as how the device opens: those of the device replace those of its line or category. */
const TOPICS: readonly (readonly RepairNoteCode[])[] = [
  [
    'opens_front',
    'opens_back',
    'opens_both_sides',
    'back_screwed',
    'back_by_hand',
    'display_first_at_risk',
    'front_glued',
  ],
  ['seal_renewed', 'seal_untrusted'],
  [
    'battery_no_tools',
    'battery_mostly_no_tools',
    'battery_built_in',
    'battery_glued',
    'battery_strips',
    'battery_pull_tab',
    'battery_screwed',
    'battery_debonds',
    'battery_none',
    'battery_pack_outside',
  ],
  ['display_laminated', 'display_glass_separate'],
  ['display_with_frame', 'display_with_hinge'],
  ['rear_glass_bonded', 'rear_glass_separate', 'back_plastic'],
  ['port_soldered', 'port_separate', 'port_behind_display'],
  ['memory_soldered', 'memory_sockets', 'memory_and_storage_soldered'],
  ['disc_drive_bound', 'disc_drive_registered'],
]
const TOPIC_OF = new Map(TOPICS.flatMap((codes, topic) => codes.map((code) => [code, topic] as const)))

export function topicOfNote(note: RepairNote): number | null {
  const code = typeof note === 'string' ? note : note.code
  return isRepairNoteCode(code) ? (TOPIC_OF.get(code) ?? null) : null
}
