import { expect, test } from 'bun:test'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { gigabytesFromText } from '../text/sizes.ts'
import { configurationOf, toDeviceInput } from './configuration.ts'

test('a configuration with more memory or storage never has a lower launch price', () => {
  for (const device of bundledDevices()) {
    const listCents = new Map(toDeviceInput(device).variants.map((variant) => [variant.variantId, variant.listCents]))
    const rows = device.variants.map((variant) => {
      const values = new Map(variant.attributes.map(({ name, value }) => [name.toLowerCase(), value]))
      const amount = (name: string) => gigabytesFromText(values.get(name) ?? '') ?? 0
      const others = [...values].filter(([name]) => !['storage', 'ram', 'color'].includes(name)).join()
      return {
        others,
        storage: amount('storage'),
        ram: amount('ram'),
        cents: listCents.get(configurationOf(variant)) ?? null,
      }
    })
    for (const small of rows) {
      for (const large of rows) {
        if (small.others !== large.others || large.storage < small.storage || large.ram < small.ram) continue
        if (small.cents === null || large.cents === null) continue
        expect(large.cents, device.id).toBeGreaterThanOrEqual(small.cents)
      }
    }
  }
})
