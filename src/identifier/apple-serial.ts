import { dayOf, WEEK_MS } from '../lib/time.ts'
import type { DecodedSerial } from './serial-number.ts'

// The tables of finetunedmac.com and peniya.com, which fit every published example.
const HALF_YEARS = 'CDFGHJKLMNPQRSTVWXYZ'
const WEEKS = '123456789CDFGHJKLMNPQRTVWXY'
const UNIT_DIGITS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

type AppleFields = Pick<DecodedSerial, 'layout' | 'plant'> & {
  readonly years: readonly number[]
  readonly week: number
}

/** January 1st plus whole weeks: the convention that fits every published example. */
function dayOfWeek(year: number, week: number): string {
  return dayOf(Date.UTC(year, 0, 1) + (week - 1) * WEEK_MS)
}

function unitNumber(text: string): number | null {
  let number = 0
  for (const character of text) {
    const digit = UNIT_DIGITS.indexOf(character)
    if (digit < 0) return null
    number = number * 34 + digit
  }
  return number
}

/** 2000 to about 2010: plant 2, last digit of the year, week 2, unit 3, configuration 3. */
function decodeElevenCharacters(serial: string): AppleFields | null {
  const yearDigit = Number(serial.charAt(2))
  const week = Number(serial.slice(3, 5))
  if (!/^\d{3}$/.test(serial.slice(2, 5)) || week < 1 || week > 53) return null
  const years = yearDigit === 0 ? [2000, 2010] : [2000 + yearDigit]
  return { layout: 'apple-11', plant: serial.slice(0, 2), years, week }
}

/** 2010 to about 2021: plant 3, half-year, week, unit 3, configuration 4. The half-years repeat after ten years. */
function decodeTwelveCharacters(serial: string): AppleFields | null {
  const halfYear = HALF_YEARS.indexOf(serial.charAt(3))
  const week = WEEKS.indexOf(serial.charAt(4)) + 1
  if (halfYear < 0 || week < 1) return null
  const firstYear = 2010 + Math.floor(halfYear / 2)
  const weekOfYear = halfYear % 2 === 1 ? week + 26 : week
  return { layout: 'apple-12', plant: serial.slice(0, 3), years: [firstYear, firstYear + 10], week: weekOfYear }
}

export function decodeAppleSerial(serial: string, today: string): DecodedSerial | null {
  if (!/^[0-9A-HJ-NP-Z]{11,12}$/.test(serial)) return null
  const fields = serial.length === 11 ? decodeElevenCharacters(serial) : decodeTwelveCharacters(serial)
  const unit = unitNumber(serial.slice(5, 8))
  if (!fields || unit === null) return null
  const { layout, plant, years, week } = fields
  const manufacturedOn = years.map((year) => dayOfWeek(year, week)).filter((day) => day <= today)
  if (manufacturedOn.length === 0) return null
  return { make: 'Apple', layout, manufacturedOn, week, plant, unitNumber: unit, configuration: serial.slice(8) }
}

/**
 * Plants by the first characters of a serial number, from the table that repair forums and security wikis repeat.
 * Holds only plants that several of them name; any other plant stays a bare code.
 */
const PLANTS: Readonly<Record<string, string>> = {
  C0: 'Quanta, China',
  C3: 'Foxconn, Shenzhen',
  C7: 'Pegatron, Shanghai',
  CK: 'Cork, Ireland',
  DL: 'Foxconn, China',
  DM: 'Foxconn, China',
  DN: 'Foxconn, Chengdu',
  F1: 'Foxconn, Zhengzhou',
  F2: 'Foxconn, Zhengzhou',
  FK: 'Foxconn, Zhengzhou',
  RM: 'refurbished',
  RN: 'Mexico',
  SG: 'Singapore',
  VM: 'Foxconn, Czech Republic',
  W8: 'Shanghai, China',
  YM: 'Foxconn, China',
}

export const findApplePlant = (code: string): string | null => PLANTS[code.slice(0, 2)] ?? null
