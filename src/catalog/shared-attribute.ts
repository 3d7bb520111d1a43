import type { Attribute } from './device.ts'

/** Registries have many variants and few distinct attributes, so each attribute is stored once. */
const MAX_INTERNED = 20_000
const interned = new Map<string, Map<string, Attribute>>()
let count = 0

export function internAttribute(name: string, value: string): Attribute {
  const existing = interned.get(name)?.get(value)
  if (existing) return existing
  const attribute = { name, value }
  if (count++ < MAX_INTERNED) interned.getOrInsertComputed(name, () => new Map()).set(value, attribute)
  return attribute
}
