import { dayOf, WEEK_MS } from '../../lib/time.ts'
import type { DecodedSerial } from './serial-number.ts'

// The tables of finetunedmac.com and peniya.com, which fit every published example.
const HALF_YEARS = 'CDFGHJKLMNPQRSTVWXYZ'
const WEEKS = '123456789CDFGHJKLMNPQRTVWXY'
const UNIT_DIGITS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

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
function decodeElevenCharacters(serial: string, today: string): DecodedSerial | null {
  const yearDigit = Number(serial.charAt(2))
  const week = Number(serial.slice(3, 5))
  const unit = unitNumber(serial.slice(5, 8))
  if (!/^\d{3}$/.test(serial.slice(2, 5)) || week < 1 || week > 53 || unit === null) return null
  const years = yearDigit === 0 ? [2000, 2010] : [2000 + yearDigit]
  const manufacturedOn = years.map((year) => dayOfWeek(year, week)).filter((day) => day <= today)
  if (manufacturedOn.length === 0) return null
  const plant = serial.slice(0, 2)
  return {
    make: 'Apple',
    layout: 'apple-11',
    manufacturedOn,
    week,
    plant,
    unitNumber: unit,
    configuration: serial.slice(8),
  }
}

/** 2010 to about 2021: plant 3, half-year, week, unit 3, configuration 4. The half-years repeat after ten years. */
function decodeTwelveCharacters(serial: string, today: string): DecodedSerial | null {
  const halfYear = HALF_YEARS.indexOf(serial.charAt(3))
  const week = WEEKS.indexOf(serial.charAt(4)) + 1
  const unit = unitNumber(serial.slice(5, 8))
  if (halfYear < 0 || week < 1 || unit === null) return null
  const weekOfYear = halfYear % 2 === 1 ? week + 26 : week
  const firstYear = 2010 + Math.floor(halfYear / 2)
  const manufacturedOn = [firstYear, firstYear + 10]
    .map((year) => dayOfWeek(year, weekOfYear))
    .filter((day) => day <= today)
  if (manufacturedOn.length === 0) return null
  const plant = serial.slice(0, 3)
  return {
    make: 'Apple',
    layout: 'apple-12',
    manufacturedOn,
    week: weekOfYear,
    plant,
    unitNumber: unit,
    configuration: serial.slice(8),
  }
}

export function decodeAppleSerial(serial: string, today: string): DecodedSerial | null {
  if (!/^[0-9A-HJ-NP-Z]+$/.test(serial)) return null
  if (serial.length === 11) return decodeElevenCharacters(serial, today)
  return serial.length === 12 ? decodeTwelveCharacters(serial, today) : null
}
