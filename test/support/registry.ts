import { Database } from 'bun:sqlite'
import type { RegistryIndex } from '../../src/catalog/catalogue-service.ts'
import { compareInListOrder, type Device } from '../../src/catalog/device.ts'
import { fillIndex, openIndex } from '../../src/catalog/index/index-file-store.ts'
import type { Registry } from '../../src/catalog/registry.ts'

/** An index in memory with these devices. */
export async function indexWith(devices: readonly Device[], baseUrl = 'http://service'): Promise<RegistryIndex> {
  const db = new Database(':memory:', { strict: true })
  await fillIndex(db, 'test', (add) => {
    add([...devices].sort(compareInListOrder).map((device) => ({ id: device.id, revision: 1, device })))
    return { revision: 2, id: '' }
  })
  return openIndex(db, baseUrl)
}

export async function registryWith(devices: readonly Device[], baseUrl?: string): Promise<Registry> {
  return (await indexWith(devices, baseUrl)).createRegistry()
}

/** Writes and removes devices like the service does when the database changes. */
export function changeIndex(index: RegistryIndex, changed: readonly Device[], removed: readonly string[] = []): void {
  const change = index.beginChange()
  change?.put(changed.map((device) => ({ id: device.id, revision: 2, device })))
  change?.remove(removed)
  change?.commit({ revision: 2, id: '' })
}
