/** Finds the device, line or category that an external list names. */
import { nameWithoutMake, slug } from '../../catalog/device.ts'
import type { FactLevel } from '../../repairs/fault-kinds.ts'
import type { ProductLine } from '../../repairs/product-line.ts'

export type DeviceName = {
  readonly id: string
  readonly make: string
  readonly name: string
  readonly category: string
}

export type RepairSubject = {
  readonly level: Extract<FactLevel, 'device' | 'line' | 'category'>
  readonly subject: string
}

export type RepairSubjectFinder = {
  /** A device by make (empty if unknown) and name; null if none or several match. */
  findDevice(make: string, name: string, category?: string): DeviceName | null
  /** A device, else a line, else a category of that name. */
  findSubject(name: string): RepairSubject | null
  hasDevice(id: string): boolean
  hasCategory(slug: string): boolean
  /** The make as the registry writes it. */
  spellingOfMake(spelling: string): string
}

/** "iPhone 6S", "iphone6s" and "iPhone-6s" are one name. */
function compactName(text: string): string {
  return slug(text).replaceAll('-', '')
}

export function createRepairSubjectFinder(
  devices: readonly DeviceName[],
  lines: readonly ProductLine[],
): RepairSubjectFinder {
  const ids = new Set(devices.map((device) => device.id))
  const categories = new Set(devices.map((device) => slug(device.category)))
  const makes = new Map(devices.map((device) => [compactName(device.make), device.make]))
  const byName = new Map<string, DeviceName[]>()
  for (const device of devices) {
    const nameKey = compactName(nameWithoutMake(device))
    for (const key of new Set([nameKey, compactName(device.make) + nameKey])) {
      byName.getOrInsertComputed(key, () => []).push(device)
    }
  }
  /** Words that people omit: the "iPhone" of a 6s, the "Galaxy" of an S7 edge. */
  const omittedWords = new Map<string, Set<string>>()
  for (const { make, prefixes } of lines) {
    const words = omittedWords.getOrInsertComputed(compactName(make), () => new Set())
    for (const prefix of prefixes) if (prefix) words.add(compactName(prefix.split(' ')[0] ?? ''))
  }

  function findDevice(make: string, name: string, category?: string): DeviceName | null {
    const makeKey = compactName(make)
    const nameKey = compactName(name)
    if (nameKey === '') return null
    const keys = [nameKey, ...[...(omittedWords.get(makeKey) ?? [])].map((word) => word + nameKey)]
    for (const key of keys) {
      const matches = (byName.get(key) ?? []).filter(
        (candidate) =>
          (makeKey === '' || compactName(candidate.make) === makeKey) &&
          (!category || slug(candidate.category) === category),
      )
      if (matches.length === 1) return matches[0] ?? null
      if (matches.length > 1) return null
    }
    return null
  }

  function findSubject(name: string): RepairSubject | null {
    const device = findDevice('', name)
    if (device) return { level: 'device', subject: device.id }
    const nameKey = compactName(name)
    const line = lines.find(
      ({ id, make, prefixes }) =>
        compactName(id) === nameKey ||
        prefixes.some(
          (prefix) => prefix && [compactName(prefix), compactName(make) + compactName(prefix)].includes(nameKey),
        ),
    )
    if (line) return { level: 'line', subject: line.id }
    for (const category of categories) {
      const plain = category.replaceAll('-', '')
      if (nameKey === plain || nameKey === `${plain}s`) return { level: 'category', subject: category }
    }
    return null
  }

  return {
    findDevice,
    findSubject,
    hasDevice: (id) => ids.has(id),
    hasCategory: (category) => categories.has(category),
    spellingOfMake: (spelling) => makes.get(compactName(spelling)) ?? spelling.trim(),
  }
}
