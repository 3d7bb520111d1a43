/** What a name in someone else's list means here: a device, a line of devices or a category. */
import { slug } from '../../catalog/device.ts'
import type { Level } from '../../repair/kind.ts'
import { type Line, nameWithoutMake } from '../../repair/product-line.ts'

export type NamedDevice = {
  readonly id: string
  readonly make: string
  readonly name: string
  readonly category: string
}

export type Subject = { readonly level: Extract<Level, 'device' | 'line' | 'category'>; readonly subject: string }

export type SubjectFinder = {
  /** A device by its make (empty when unknown) and its name as people write it; null when it fits none or several. */
  device(make: string, name: string, category?: string): NamedDevice | null
  /** A device, else a line, else a category of that name. */
  subject(name: string): Subject | null
  hasDevice(id: string): boolean
  hasCategory(slug: string): boolean
  /** The make as the registry writes it. */
  make(written: string): string
}

/** "iPhone 6S", "iphone6s" and "iPhone-6s" are one name. */
function compact(text: string): string {
  return slug(text).replaceAll('-', '')
}

export function subjectFinder(devices: readonly NamedDevice[], lines: readonly Line[]): SubjectFinder {
  const ids = new Set(devices.map((device) => device.id))
  const categories = new Set(devices.map((device) => slug(device.category)))
  const makes = new Map(devices.map((device) => [compact(device.make), device.make]))
  const byName = new Map<string, NamedDevice[]>()
  for (const device of devices) {
    const bare = compact(nameWithoutMake(device))
    for (const key of new Set([bare, compact(device.make) + bare])) {
      const list = byName.get(key)
      if (list) list.push(device)
      else byName.set(key, [device])
    }
  }
  /** What people leave out: the "iPhone" of a 6s, the "Galaxy" of an S7 edge. */
  const familiars = new Map<string, Set<string>>()
  for (const { make, prefixes } of lines) {
    const words = familiars.get(compact(make)) ?? new Set<string>()
    for (const prefix of prefixes) if (prefix) words.add(compact(prefix.split(' ')[0] ?? ''))
    familiars.set(compact(make), words)
  }

  function device(make: string, name: string, category?: string): NamedDevice | null {
    const madeBy = compact(make)
    const bare = compact(name)
    if (bare === '') return null
    const keys = [bare, ...[...(familiars.get(madeBy) ?? [])].map((word) => word + bare)]
    for (const key of keys) {
      const fits = (byName.get(key) ?? []).filter(
        (each) => (madeBy === '' || compact(each.make) === madeBy) && (!category || slug(each.category) === category),
      )
      if (fits.length === 1) return fits[0] ?? null
      if (fits.length > 1) return null
    }
    return null
  }

  function subject(name: string): Subject | null {
    const found = device('', name)
    if (found) return { level: 'device', subject: found.id }
    const wanted = compact(name)
    const line = lines.find(
      ({ id, make, prefixes }) =>
        compact(id) === wanted ||
        prefixes.some((prefix) => prefix && [compact(prefix), compact(make) + compact(prefix)].includes(wanted)),
    )
    if (line) return { level: 'line', subject: line.id }
    for (const category of categories) {
      const plain = category.replaceAll('-', '')
      if (wanted === plain || wanted === `${plain}s`) return { level: 'category', subject: category }
    }
    return null
  }

  return {
    device,
    subject,
    hasDevice: (id) => ids.has(id),
    hasCategory: (word) => categories.has(word),
    make: (written) => makes.get(compact(written)) ?? written.trim(),
  }
}
