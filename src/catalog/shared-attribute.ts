import type { Attribute } from './device.ts'

/** Registries have few different attributes and many variants: each attribute is kept once. */
const ATTRIBUTES_KEPT = 20_000
const kept = new Map<string, Map<string, Attribute>>()
let count = 0

export function sharedAttribute(name: string, value: string): Attribute {
  const byValue = kept.get(name)
  const known = byValue?.get(value)
  if (known) return known
  const attribute = { name, value }
  if (count < ATTRIBUTES_KEPT) {
    count++
    if (byValue) byValue.set(value, attribute)
    else kept.set(name, new Map([[value, attribute]]))
  }
  return attribute
}
