import type { BundledTac } from '../../src/catalog/bundled-catalogue-service.ts'
import type { Device } from '../../src/catalog/device.ts'
import { certifiedNames, matchesCertifiedName } from './android.ts'
import type { CatalogueReferences } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** A TAC agrees if a set that contains it assigns it to the same device. */
export function checkTacs(
  tacs: readonly BundledTac[],
  devices: readonly Device[],
  references: CatalogueReferences,
  tally: Tally,
): void {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const namesOf = certifiedNames(references)
  const samsung = new Map<string, string[]>()
  for (const [tac = '', ...models] of references.samsungTacs) {
    samsung.set(tac, [...(samsung.get(tac) ?? []), ...models.map((model) => model.trim()).filter(Boolean)])
  }
  const osmocom = new Map(
    references.osmocomTacs.map((row) => [row[0] ?? '', { brand: row[1], words: [row[2], row[7]].join(',') }]),
  )
  for (const { tac, deviceId, confidence } of tacs) {
    const device = byId.get(deviceId)
    if (!device) continue
    const models = samsung.get(tac)
    const osmocomRow = osmocom.get(tac)
    const names = models?.flatMap((model) => namesOf(device.make, model)) ?? []
    const bySamsung = names.some((name) => matchesCertifiedName(device, name))
    const byOsmocom =
      osmocomRow &&
      osmocomRow.brand?.toLowerCase() === device.make.toLowerCase() &&
      namesDevice(osmocomRow.words, device)
    // The certified list has no names for watches without Android.
    if (names.length === 0 && osmocomRow === undefined) tally.unknown('TAC')
    else tally.record('TAC', bySamsung || byOsmocom === true, `${tac} at ${deviceId} (${confidence})`)
  }
}

/** A word of the row is a model number, a name with its storage, or a part number of the device. */
function namesDevice(words: string, device: Device): boolean {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, '')
  const ownNames = new Set([...device.modelNumbers, device.name, device.name.replace(device.make, '')].map(normalize))
  const parts = new Set(device.variants.flatMap((variant) => variant.partNumbers))
  return words
    .split(',')
    .flatMap((phrase) => [phrase, phrase.replace(/ \d+GB$/, ''), ...phrase.split(' ')])
    .some((phrase) => ownNames.has(normalize(phrase)) || parts.has(phrase.slice(0, 5)))
}
