import { describe, expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { CONDITION_GRADES } from './condition-grades.ts'
import { DEFECT_CODES } from './defect-catalogue.ts'
import { DEFECTS, DEVICE_KINDS, defectsOfKind, deviceKind, gradesOfKind, parseDeviceKind } from './device-kinds.ts'

const devices = bundledDevices()
const kindOf = (id: string) => {
  const device = devices.find((each) => each.id === id)
  return device && deviceKind(device)
}
const codesOf = (kind: (typeof DEVICE_KINDS)[number]) => defectsOfKind(kind).map(({ code }) => code)

describe('kinds of devices', () => {
  test('every bundled device has one, and every kind has devices', () => {
    expect(devices.filter((device) => deviceKind(device) === null)).toEqual([])
    expect(new Set(devices.map(deviceKind))).toEqual(new Set(DEVICE_KINDS))
  })

  test('distinguish foldables from phones and handhelds from consoles', () => {
    for (const [id, kind] of [
      ['apple-iphone-13', 'phone'],
      ['samsung-galaxy-z-flip5', 'foldable'],
      ['samsung-galaxy-z-fold7', 'foldable'],
      ['nokia-2720-flip', 'phone'],
      ['oneplus-open', 'foldable'],
      ['samsung-galaxy-j7-duo', 'phone'],
      ['sony-playstation-5', 'console'],
      ['nintendo-wii-u', 'console'],
      ['nintendo-switch', 'handheld'],
      ['valve-steam-deck', 'handheld'],
      ['apple-mac-mini-2024', 'desktop'],
      ['apple-imac-24-inch-m4-2024', 'all_in_one'],
      ['google-nest-hub-max', 'smart_display'],
    ] as const) {
      expect([id, kindOf(id)]).toEqual([id, kind])
    }
  })

  test('are read from their own names and from categories, in any letter case', () => {
    expect(parseDeviceKind('Game Console')).toBe('console')
    expect(parseDeviceKind('graphics card')).toBe('graphics_card')
    expect(parseDeviceKind('FOLDABLE')).toBe('foldable')
    expect(parseDeviceKind('toaster')).toBeUndefined()
  })
})

describe('defects by kind', () => {
  test('every defect belongs to at least one kind', () => {
    expect(DEFECTS.filter(({ categories }) => categories.length === 0)).toEqual([])
    expect(new Set(DEVICE_KINDS.flatMap(codesOf))).toEqual(new Set(DEFECT_CODES))
  })

  test('a phone has no hinge and no disc drive, a console no screen and no battery, earbuds no face sensor', () => {
    expect(codesOf('phone')).not.toContain('hinge')
    expect(codesOf('phone')).not.toContain('disc_drive')
    expect(codesOf('foldable')).toContain('hinge')
    expect(codesOf('console')).not.toContain('cracked_screen')
    expect(codesOf('console')).not.toContain('weak_battery')
    expect(codesOf('earbuds')).not.toContain('biometric_sensor')
    expect(codesOf('graphics_card')).toContain('image_errors')
  })
})

describe('grades by kind', () => {
  test('phones have the general texts', () => {
    expect(gradesOfKind('phone')).toEqual(CONDITION_GRADES)
  })

  test('a console has neither a screen nor a battery in its grades', () => {
    for (const { screen, battery_min_percent, definition } of gradesOfKind('console')) {
      expect(screen).toBeNull()
      expect(battery_min_percent).toBeNull()
      expect(definition).not.toMatch(/screen|glass|battery/)
    }
  })
})
