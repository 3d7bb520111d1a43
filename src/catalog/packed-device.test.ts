import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { bundledDevices } from './bundled-catalogue-service.ts'
import { packDevice, unpackDevice } from './packed-device.ts'

test('every device on board is the same after it was packed', () => {
  for (const device of bundledDevices()) expect(unpackDevice(packDevice(device))).toEqual(device)
})

test('a device without variants, with its own SKUs and without a date is the same too', () => {
  for (const device of [
    sampleDevice('Acme', 'Bare', { variants: [], releasedOn: null, releasePrecision: null }),
    sampleDevice('Acme', 'Ünlü "1"', { variants: [{ sku: 'A/1\n', disabled: true, listCents: 0 }, { sku: '' }] }),
  ]) {
    expect(unpackDevice(packDevice(device))).toEqual(device)
  }
})
