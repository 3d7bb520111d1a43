import type { DecodedSerial } from './serial-number.ts'

// devfaq.ru and 3dsattv.ru for 2005 to 2020. Only one source (cz.splaitor.com) states that the letters repeat every
// 20 years; 2021 to 2024 are inferred from it: enough for a hint, never for a risk factor.
const FIRST_YEAR = 2005
const YEARS = 'YLPQSZBCDFGHJKMNRTWX'
const MONTHS = '123456789ABC'

/** Phones: 10 or 11 characters, the fourth the year, the fifth the month. */
export function decodeSamsungSerial(serial: string, today: string): DecodedSerial | null {
  if (!/^[A-Z][0-9A-Z]{9,10}$/.test(serial)) return null
  const yearIndex = YEARS.indexOf(serial.charAt(3))
  const month = MONTHS.indexOf(serial.charAt(4)) + 1
  if (yearIndex < 0 || month < 1) return null
  const manufacturedOn = [FIRST_YEAR + yearIndex, FIRST_YEAR + yearIndex + 20]
    .map((year) => `${year}-${String(month).padStart(2, '0')}`)
    .filter((day) => day <= today.slice(0, 7))
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
