/** Which device of the registry a make and model written elsewhere stand for. */
import type { KnownRegistry } from './known-registry.ts'
import { withLine, withoutRadio } from './names.ts'

/** By name first, then by model number where that belongs to one device alone. */
export function findDevice(
  registry: KnownRegistry,
  make: string,
  line: string | null,
  names: readonly string[],
): string | undefined {
  const [model = '', ...others] = names
  const byName = registry.findByName(make, withLine(withoutRadio(model), line))
  if (byName) return byName
  for (const name of [model, ...others]) {
    const ids = registry.findByModel(make, name)
    if (ids.length === 1) return ids[0]
  }
  return undefined
}
