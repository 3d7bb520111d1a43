import { findApplePlant } from './apple-plants.ts'
import { decodeAppleSerial } from './apple-serial.ts'
import { decodeSamsungSerial } from './samsung-serial.ts'

/** What a serial number may say if that maker made it: nothing in the characters proves who did. */
export type DecodedSerial = {
  readonly make: 'Apple' | 'Samsung'
  readonly layout: 'apple-11' | 'apple-12' | 'samsung'
  /** Days (`YYYY-MM-DD`) or months (`YYYY-MM`) it may have been made, earliest first: the year's code repeats. */
  readonly manufacturedOn: readonly string[]
  /** Week of the year, where the form tells it. */
  readonly week: number | null
  readonly plant: string
  readonly unitNumber: number | null
  /** Apple's code of model, storage and colour. */
  readonly configuration: string | null
}

export type SerialDecoding = {
  readonly decodedSerials: readonly DecodedSerial[]
  /** Why nothing could be read, where nothing could. */
  readonly undecodedReason: 'randomised_serial' | 'unknown_layout' | null
}

/** `today` (`YYYY-MM-DD`) keeps dates in the future out. */
export function decodeSerial(serial: string, today: string): SerialDecoding {
  const readings = [decodeAppleSerial(serial, today), decodeSamsungSerial(serial, today)].filter(
    (reading) => reading !== null,
  )
  if (readings.length > 0) return { decodedSerials: readings, undecodedReason: null }
  // Apple's serials are random since 2021, 8 to 14 characters by its notice: they look like anybody's.
  const random = serial.length >= 8 && serial.length <= 14
  return { decodedSerials: readings, undecodedReason: random ? 'randomised_serial' : 'unknown_layout' }
}

/** Apple's form of 2010 to 2021 as a sentence; shorter forms fit too much else to be worth one. */
export function describeDecodedSerial(decoded: DecodedSerial): string | null {
  if (decoded.layout !== 'apple-12') return null
  const { plant, week, manufacturedOn: manufactured, configuration } = decoded
  const place = findApplePlant(plant)
  const years = manufactured.map((day) => day.slice(0, 4)).join(' or ')
  return `If Apple gave it: plant ${plant}${place === null ? '' : ` (${place})`}, week ${week} of ${years}, model code ${configuration}.`
}
