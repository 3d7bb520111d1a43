import type { DecodedSerial } from './serial-number.ts'

// devfaq.ru and 3dsattv.ru for 2005 to 2020. Only one source (cz.splaitor.com) states that the letters repeat every
// 20 years; 2021 to 2024 are inferred from it: enough for a hint, never for a risk factor.
const YEARS: Readonly<Record<string, number>> = {
  Y: 2005,
  L: 2006,
  P: 2007,
  Q: 2008,
  S: 2009,
  Z: 2010,
  B: 2011,
  C: 2012,
  D: 2013,
  F: 2014,
  G: 2015,
  H: 2016,
  J: 2017,
  K: 2018,
  M: 2019,
  N: 2020,
  R: 2021,
  T: 2022,
  W: 2023,
  X: 2024,
}
const MONTHS = '123456789ABC'

/** Phones: 10 or 11 characters, the fourth the year, the fifth the month. */
export function decodeSamsungSerial(serial: string, today: string): DecodedSerial | null {
  if (!/^[A-Z][0-9A-Z]{9,10}$/.test(serial)) return null
  const year = YEARS[serial.charAt(3)]
  const month = MONTHS.indexOf(serial.charAt(4)) + 1
  if (year === undefined || month < 1) return null
  const manufacturedOn = [year, year + 20]
    .map((candidate) => `${candidate}-${String(month).padStart(2, '0')}`)
    .filter((candidate) => candidate <= today.slice(0, 7))
  if (manufacturedOn.length === 0) return null
  return {
    make: 'Samsung',
    layout: 'samsung',
    manufacturedOn,
    week: null,
    plant: serial.slice(0, 3),
    unitNumber: null,
    configuration: null,
  }
}
