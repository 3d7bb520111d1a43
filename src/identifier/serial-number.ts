import { decodeAppleSerial, findApplePlant } from './apple-serial.ts'
import { decodeSamsungSerial } from './samsung-serial.ts'

/** Decoding under the assumption of a manufacturer, which the characters alone do not prove. */
export type DecodedSerial = {
  readonly make: 'Apple' | 'Samsung' | 'Dell'
  readonly layout: 'apple-11' | 'apple-12' | 'samsung' | 'dell-7'
  /** Days (`YYYY-MM-DD`) or months (`YYYY-MM`) it may have been made, earliest first: the year's code repeats. */
  readonly manufacturedOn: readonly string[]
  /** Week of the year, if the layout contains it. */
  readonly week: number | null
  readonly plant: string
  readonly unitNumber: number | null
  /** Apple's code of model, storage and colour. */
  readonly configuration: string | null
}

export type SerialDecoding = {
  readonly decodedSerials: readonly DecodedSerial[]
  /** Why decoding failed; null if it did not. */
  readonly undecodedReason: 'randomised_serial' | 'unknown_layout' | null
}

/** Xiaomi prints a product code of five digits, a slash and the number of the unit: "28452/F1TX70123". */
export const isXiaomiSerial = (text: string): boolean => /^\d{5}\/(?=.*[A-Z])[A-Z0-9]{8,10}$/.test(text)

/** Dell's service tag has seven letters and digits; its support pages also take it as a number in base 36. */
function decodeDellTag(serial: string): DecodedSerial | null {
  if (!/^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{7}$/.test(serial)) return null
  return {
    make: 'Dell',
    layout: 'dell-7',
    manufacturedOn: [],
    week: null,
    plant: '',
    unitNumber: Number.parseInt(serial, 36),
    configuration: null,
  }
}

/** Excludes manufacturing dates after `today` (`YYYY-MM-DD`). */
export function decodeSerial(serial: string, today: string): SerialDecoding {
  const decodedSerials = [
    decodeAppleSerial(serial, today),
    decodeSamsungSerial(serial, today),
    decodeDellTag(serial),
  ].filter((decoded) => decoded !== null)
  if (decodedSerials.length > 0) return { decodedSerials, undecodedReason: null }
  // Apple's serials are random since 2021, with 8 to 14 characters according to Apple, and look like those of any manufacturer.
  const isRandomLength = serial.length >= 8 && serial.length <= 14
  return { decodedSerials, undecodedReason: isRandomLength ? 'randomised_serial' : 'unknown_layout' }
}

/** Dell's tags and Apple's form of 2010 to 2021 as a sentence; other forms fit too many serial numbers. */
export function describeDecodedSerial(decoded: DecodedSerial): string | null {
  if (decoded.layout === 'dell-7')
    return `If Dell gave it: a service tag, express service code ${decoded.unitNumber}. Dell's support page names the model.`
  if (decoded.layout !== 'apple-12') return null
  const { plant, week, manufacturedOn, configuration } = decoded
  const plantName = findApplePlant(plant)
  const years = manufacturedOn.map((day) => day.slice(0, 4)).join(' or ')
  return `If Apple gave it: plant ${plant}${plantName === null ? '' : ` (${plantName})`}, week ${week} of ${years}, model code ${configuration}.`
}
