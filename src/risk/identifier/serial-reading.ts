import { applePlant } from './apple-plants.ts'
import { readAppleSerial } from './apple-serial.ts'
import { readSamsungSerial } from './samsung-serial.ts'

/** What a serial number may say if that maker made it: nothing in the characters proves who did. */
export type SerialReading = {
  readonly make: 'Apple' | 'Samsung'
  readonly layout: 'apple-11' | 'apple-12' | 'samsung'
  /** Days (`YYYY-MM-DD`) or months (`YYYY-MM`) it may have been made, earliest first: the year's code repeats. */
  readonly manufactured: readonly string[]
  /** Week of the year, where the form tells it. */
  readonly week: number | null
  readonly plant: string
  readonly unit: number | null
  /** Apple's code of model, storage and colour. */
  readonly configuration: string | null
}

export type SerialReadings = {
  readonly readings: readonly SerialReading[]
  /** Why nothing could be read, where nothing could. */
  readonly nothingBecause: 'randomised_serial' | 'unknown_layout' | null
}

/** `today` (`YYYY-MM-DD`) keeps dates in the future out. */
export function readSerial(serial: string, today: string): SerialReadings {
  const readings = [readAppleSerial(serial, today), readSamsungSerial(serial, today)].filter(
    (reading) => reading !== null,
  )
  if (readings.length > 0) return { readings, nothingBecause: null }
  // Apple's serials are random since 2021, 8 to 14 characters by its notice: they look like anybody's.
  const random = serial.length >= 8 && serial.length <= 14
  return { readings, nothingBecause: random ? 'randomised_serial' : 'unknown_layout' }
}

/** Apple's form of 2010 to 2021 as a sentence; shorter forms fit too much else to be worth one. */
export function tellReading(reading: SerialReading): string | null {
  if (reading.layout !== 'apple-12') return null
  const { plant, week, manufactured, configuration } = reading
  const place = applePlant(plant)
  const years = manufactured.map((day) => day.slice(0, 4)).join(' or ')
  return `If Apple gave it: plant ${plant}${place === null ? '' : ` (${place})`}, week ${week} of ${years}, model code ${configuration}.`
}
