import type { Attribute } from './device.ts'

/** Registries have few different attributes and many variants: each attribute is kept once. */
const MAX_INTERNED = 20_000
const interned = new Map<string, Map<string, Attribute>>()
let count = 0

export function internAttribute(name: string, value: string): Attribute {
  const byValue = interned.get(name)
  const known = byValue?.get(value)
  if (known) return known
  const attribute = { name, value }
  if (count < MAX_INTERNED) {
    count++
    if (byValue) byValue.set(value, attribute)
    else interned.set(name, new Map([[value, attribute]]))
  }
  return attribute
}
