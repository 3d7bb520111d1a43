import { expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import type { Device } from '../catalog/device.ts'
import { possibleDefects } from './possible-defects.ts'

const devices = new Map(bundledDevices().map((device) => [device.id, device]))
const defectsOf = (id: string) => possibleDefects(devices.get(id) as Device)
const codesOf = (id: string) => defectsOf(id).map(({ code }) => code)

test.each([
  ['apple-iphone-13', 'headphone_jack', 'apple-iphone-6s'],
  ['samsung-galaxy-s21', 'headphone_jack', 'samsung-galaxy-s10'],
  ['google-pixel-6', 'headphone_jack', 'google-pixel-4a'],
  ['apple-ipad-air-5th-generation', 'headphone_jack', 'apple-ipad-9th-generation'],
  ['sony-playstation-5-digital-edition', 'disc_drive', 'sony-playstation-5'],
  ['apple-macbook-air-m1-2020', 'fan', 'apple-macbook-pro-14-inch-2021'],
  ['valve-steam-deck', 'hinge', 'nintendo-3ds-xl'],
] as const)('%s cannot have %s, unlike %s', (without, code, having) => {
  expect(codesOf(without)).not.toContain(code)
  expect(codesOf(having)).toContain(code)
})

test('the sensor of an Apple device has its name', () => {
  const sensorOf = (id: string) => defectsOf(id).find(({ code }) => code === 'biometric_sensor')?.name
  expect(sensorOf('apple-iphone-13')).toBe('Face ID')
  expect(sensorOf('apple-iphone-se-2nd-generation')).toBe('Touch ID')
  expect(sensorOf('samsung-galaxy-s21')).toBe('Face or fingerprint sensor')
})
