/** Finds the device of the catalogue for a make and model of another list. */

import { hasSequentialEraDigits, isTacOlderThanDevice } from '../tac/tac-age.ts'
import type { ImportRegistry } from './import-registry.ts'
import { withLine, withoutRadio } from './names.ts'

/**
 * By name first, unless the model numbers beside it belong to another device; then by model number, if all of one text
 * belong to one device. A TAC older than the device belongs to another device of the same name.
 */
export function findDeviceId(
  registry: ImportRegistry,
  make: string,
  line: string | null,
  names: readonly string[],
  tac?: string,
): string | undefined {
  const id = findIdByName(registry, make, line, names, tac) ?? findIdByCodes(registry, make, names)
  if (id === undefined || tac === undefined) return id
  return isTacOlderThanDevice(tac, registry.get(id)?.releasedOn ?? null) ? undefined : id
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
 * Both sides have model numbers and share none. If the catalogue has none for the device, the age of the TAC decides: an
 * old TAC with unknown numbers belongs to an older device.
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
    const byWholeName = registry.findByModel(make, name)
    const ids = new Set(
      byWholeName.length > 0
        ? byWholeName
        : findCodes(name).flatMap((code) => idsWithModelNumber(registry, make, code)),
    )
    const [onlyId] = ids
    if (onlyId !== undefined && ids.size === 1) return onlyId
  }
  return undefined
}

/** The devices with this model number; if there are none, those whose numbers differ only in the country letters. */
function idsWithModelNumber(registry: ImportRegistry, make: string, code: string): readonly string[] {
  const holders = registry.findByModel(make, code)
  return holders.length > 0 ? holders : registry.findByModelFamily(make, code)
}

const STORAGE = /^\d+\s?[GTM]B$/i
const CODE = /^(?=.*[A-Z])(?=.*\d.*\d)[A-Z0-9-]{4,}$/i

/** Words of a text that look like a model number: "iPhone 7 A1778 TD-LTE 32GB" has A1778. */
function findCodes(text: string): readonly string[] {
  return text
    .split(/[\s,()]+/)
    .map((word) => word.replace(/\/.*$/, ''))
    .filter((word) => CODE.test(word) && !STORAGE.test(word))
}

/** Without model numbers, storage and text in brackets. */
function withoutCodesAndStorage(name: string): string {
  const words = name.replace(/\([^)]*\)/g, ' ').split(/\s+/)
  return words.filter((word) => word !== '' && !STORAGE.test(word) && findCodes(word).length === 0).join(' ')
}
