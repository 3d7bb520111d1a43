import type { Catalogue } from '../catalog/catalogue-service.ts'
import type { Device } from '../catalog/device.ts'
import { createMatchingService } from '../catalog/matching/matching-service.ts'
import type { Registry } from '../catalog/registry.ts'
import { timeSlice } from '../lib/event-loop.ts'

/** Finds devices by title in the served catalogue. */
export const openMatching = (catalogue: Pick<Catalogue, 'registry' | 'onChange'>) =>
  createMatchingService({
    devices: () => collectDevices(catalogue.registry()),
    onChange: catalogue.onChange,
  })

/** All devices, for the title matcher and what belongs to it; time-sliced. */
async function collectDevices(registry: Registry): Promise<readonly Device[]> {
  const pause = timeSlice()
  const devices: Device[] = []
  for (const device of registry.listDevices()) {
    devices.push(device)
    await pause()
  }
  return devices
}
