/** Which device of the registry a make and model written elsewhere stand for. */

import { hasSequentialEraDigits, isTacOlderThanDevice } from '../tac/tac-age.ts'
import type { ImportRegistry } from './import-registry.ts'
import { withLine, withoutRadio } from './names.ts'

/**
 * By name first, unless the model numbers beside it are another device's; then by model number, where all of one text
 * belong to one device alone. A TAC that is older than the device found is another device's of the same name.
 */
export function findDeviceId(
  registry: ImportRegistry,
  make: string,
  line: string | null,
  names: readonly string[],
  tac?: string,
): string | undefined {
  const found = findIdByName(registry, make, line, names, tac) ?? findIdByCodes(registry, make, names)
  if (found === undefined || tac === undefined) return found
  return isTacOlderThanDevice(tac, registry.get(found)?.releasedOn ?? null) ? undefined : found
}

function findIdByName(
  registry: ImportRegistry,
  make: string,
  line: string | null,
  names: readonly string[],
  tac: string | undefined,
): string | undefined {
  const [model = ''] = names
  for (const name of [model, withoutCodesAndStorage(model)]) {
    const id = registry.findByName(make, withLine(withoutRadio(name), line))
    if (id !== undefined && !isContradicted(registry, make, id, names, tac)) return id
  }
  return undefined
}

/**
 * Model numbers are there, on both sides, and none is shared. Where the registry knows none of the device, the code's age
 * decides: an old one with numbers nobody knows is an old device's.
 */
function isContradicted(
  registry: ImportRegistry,
  make: string,
  id: string,
  names: readonly string[],
  tac: string | undefined,
): boolean {
  const codes = names.flatMap(findCodes)
  if (codes.length === 0) return false
  if ((registry.get(id)?.modelNumbers.length ?? 0) === 0) return tac !== undefined && hasSequentialEraDigits(tac)
  return !codes.some((code) => idsWithModelNumber(registry, make, code).includes(id))
}

function findIdByCodes(registry: ImportRegistry, make: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const whole = registry.findByModel(make, name)
    const ids = new Set(
      whole.length > 0 ? whole : findCodes(name).flatMap((code) => idsWithModelNumber(registry, make, code)),
    )
    const [only] = ids
    if (only !== undefined && ids.size === 1) return only
  }
  return undefined
}

/** The devices with this model number; where nobody has it, those whose numbers differ by the country's letters alone. */
function idsWithModelNumber(registry: ImportRegistry, make: string, code: string): readonly string[] {
  const holders = registry.findByModel(make, code)
  return holders.length > 0 ? holders : registry.findByModelFamily(make, code)
}

const STORAGE = /^\d+\s?[GTM]B$/i
const CODE = /^(?=.*[A-Z])(?=.*\d.*\d)[A-Z0-9-]{4,}$/i

/** Words of a text that have the form of a model number: "iPhone 7 A1778 TD-LTE 32GB" has A1778. */
function findCodes(text: string): readonly string[] {
  return text
    .split(/[\s,()]+/)
    .map((word) => word.replace(/\/.*$/, ''))
    .filter((word) => CODE.test(word) && !STORAGE.test(word))
}

/** Without model numbers, storage and what stands in brackets. */
function withoutCodesAndStorage(name: string): string {
  const words = name.replace(/\([^)]*\)/g, ' ').split(/\s+/)
  return words.filter((word) => word !== '' && !STORAGE.test(word) && findCodes(word).length === 0).join(' ')
}
