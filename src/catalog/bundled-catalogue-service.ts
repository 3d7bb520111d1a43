import { createHash } from 'node:crypto'
import tacText from '../../data/tacs/phones.json' with { type: 'text' }
import { once } from '../lib/memoize.ts'
import { bundledFamilyTables } from './bundled-tables-service.ts'
import type { Device } from './device.ts'
import { expandFamily, type FamilyTable } from './family-table.ts'

/** Raise it when the same files expand to other devices. */
const EXPANSION_VERSION = '3'

/** The devices of a new installation; our own facts, see docs/decisions/0016-catalogue-facts.md. */
export function bundledDevices(): readonly Device[] {
  return bundledFamilyTables().flatMap((text) => expandFamily(JSON.parse(text) as FamilyTable))
}

/** Changes exactly when a bundled fact changes, so that a database knows whether it is up to date. */
export const bundledCatalogueVersion = once(() =>
  createHash('sha256')
    .update([EXPANSION_VERSION, ...bundledFamilyTables(), tacText].join('\n'))
    .digest('hex')
    .slice(0, 16),
)

export type BundledTac = {
  readonly tac: string
  readonly deviceId: string
  readonly make: string
  readonly model: string
  /** Confidence (0–100) that a phone with this TAC is this device; lower if the TAC was seen at two devices. */
  readonly confidence: number
  /** `bundled:` and the lists it was seen in, joined by `+`. */
  readonly source: string
}

type TacLine = {
  readonly device: string
  readonly confidence: number
  readonly seenIn: readonly string[]
  readonly tacs: readonly string[]
}

/** TACs of common phones, so that they are recognised before any list is imported. */
export function bundledTacs(devices: readonly Device[] = bundledDevices()): readonly BundledTac[] {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const lines = JSON.parse(tacText as unknown as string) as readonly TacLine[]
  return lines.flatMap(({ device: deviceId, confidence, seenIn, tacs }) => {
    const device = byId.get(deviceId)
    if (!device) throw new Error(`Bundled TACs refer to an unknown device: ${deviceId}`)
    const source = `bundled:${seenIn.join('+')}`
    return tacs.map((tac) => ({ tac, deviceId, make: device.make, model: device.name, confidence, source }))
  })
}
