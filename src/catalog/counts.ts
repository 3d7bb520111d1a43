import type { DeviceEntry } from './entry.ts'
import { presentLabel } from './present.ts'
import type { Snapshot } from './snapshot.ts'

/** The makes or the categories of the registry by name, and how many devices and variants each has. */
export function countedLabels({ devices, baseUrl }: Snapshot, kind: 'makes' | 'categories') {
  const groups = Map.groupBy(devices, (entry) => (kind === 'makes' ? entry.makeKey : entry.categoryKey))
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entries]) => ({
      ...presentLabel(baseUrl, kind, nameOf(entries, kind)),
      device_count: entries.length,
      variant_count: entries.reduce((sum, { variants }) => sum + variants.length, 0),
    }))
}

function nameOf(entries: readonly DeviceEntry[], kind: 'makes' | 'categories'): string {
  return (kind === 'makes' ? entries[0]?.make : entries[0]?.category) ?? ''
}
