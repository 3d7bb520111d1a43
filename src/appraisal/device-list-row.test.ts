import { describe, expect, test } from 'bun:test'
import { requestFromRow } from './device-list-row.ts'

const row = (cells: Record<string, string>) =>
  requestFromRow((...names) => names.map((name) => cells[name]).find((cell) => cell !== undefined) ?? '')

describe('a row of a list', () => {
  test('is read by common column names', () => {
    const cells = {
      'stock no': 'A1',
      imei: '356938035643809',
      brand: 'Apple',
      model: 'iPhone 13',
      capacity: '128',
      colour: 'Midnight',
      grade: 'Grade B',
      faults: 'Cracked back; weak_battery',
    }
    expect(row(cells)).toEqual({
      reference: 'A1',
      identifier: '356938035643809',
      text: 'Apple iPhone 13',
      attributes: { storage: '128GB', color: 'Midnight' },
      condition: 'Good',
      defects: ['cracked_back', 'weak_battery'],
    })
  })
  test('has no field for missing cells', () => {
    expect(row({ title: 'Apple iPhone 13', make: 'apple', defects: '' })).toEqual({ text: 'Apple iPhone 13' })
  })
  test('whose defects are "none" states that there are none', () => {
    expect(row({ title: 'iPhone 13', defects: 'none' })).toEqual({ text: 'iPhone 13', defects: [] })
  })
  test('of a new device is Excellent', () => {
    expect(row({ device: 'x', condition: 'New' })).toEqual({ text: 'x', condition: 'Excellent' })
  })
  test('turns words of its defects column into defects and leaves its title to the appraisal', () => {
    const title = 'iPhone 13 128GB cracked screen, battery 74 %'
    expect(row({ title, faults: 'Face ID not working; SIM-locked' })).toEqual({
      text: title,
      defects: ['biometric_sensor', 'carrier_locked'],
    })
    expect(row({ title: 'iPhone 13 128GB', faults: 'battery 91 %' })).toEqual({ text: 'iPhone 13 128GB', defects: [] })
  })
  test('with an unknown grade or defect is rejected with that value', () => {
    expect(() => row({ device: 'x', condition: 'so-so-ish' })).toThrow('condition was "so-so-ish"')
    expect(() => row({ device: 'x', defects: 'rust' })).toThrow('defects was "rust"')
  })
})
