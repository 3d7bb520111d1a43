/** Titles of devices of the bundled catalogue, as sellers shorten them. */
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'

export function deviceNames(): string[] {
  return [...bundledDevices()].flatMap((device, index) => {
    const storage = device.variants[index % device.variants.length]?.attributes.find(
      ({ name }) => name === 'storage',
    )?.value
    const whole = [device.make, device.name].join(' ')
    const forms = [
      whole,
      device.name,
      storage ? `${device.name} ${storage}` : whole.toLowerCase(),
      storage ? `${whole} ${storage.toLowerCase()}` : device.name.toLowerCase(),
    ]
    return [forms[index % forms.length] as string]
  })
}
