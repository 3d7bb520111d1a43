import { presentLabel } from './present.ts'
import type { CatalogueSnapshot } from './snapshot.ts'

/** The makes or the categories of the registry by name, and how many devices and variants each has. */
export function countByLabel({ arranged, baseUrl }: CatalogueSnapshot, kind: 'makes' | 'categories') {
  const { rows, devices } = arranged
  const { keys, names } = rows.labels
  const labelOf = (kind === 'makes' ? rows.devices.make : rows.devices.category).values
  const counts = new Map<string, { name: string; device_count: number; variant_count: number }>()
  for (const row of devices) {
    const label = labelOf[row] as number
    const key = keys[label] as string
    const counted = counts.get(key) ?? { name: names[label] as string, device_count: 0, variant_count: 0 }
    counted.device_count++
    counted.variant_count += rows.devices.variantCount.values[row] as number
    counts.set(key, counted)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { name, ...counted }]) => ({ ...presentLabel(baseUrl, kind, name), ...counted }))
}
