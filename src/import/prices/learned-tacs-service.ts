import type { Database } from '../../db/database.ts'
import { type Identifier, isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { matchByTac } from '../../risk/device-match.ts'
import { referenceDataStore } from '../../risk/reference-data-store.ts'
import { isSandboxIdentifier } from '../../risk/sources/sandbox-identifiers.ts'
import {
  confirmedModels,
  isContradicted,
  learnableTac,
  MAX_CONFIRMATIONS,
  MAX_UNITS_PER_MODEL,
} from '../../risk/tac-confirmation.ts'
import { type TacUnit, tacConfirmationStore } from '../../risk/tac-confirmation-store.ts'

const TACS_PER_QUERY = 500

type Pair = { readonly identifier: Identifier; readonly tac: string; readonly deviceId: string }
type ImportOrigin = { readonly organizationId: string; readonly importId: string; readonly now: number }

/** Learns the models of TACs from rows that have an IMEI, by the rules of devices in hand. */
export function createTacLearner(db: Database) {
  const pairs = new Map<string, Pair | null>()

  /** The units that nothing contradicts, within the limits of a model and of the organization. */
  async function selectUnits(group: readonly Pair[], organizationId: string, remaining: number): Promise<TacUnit[]> {
    const tacs = [...new Set(group.map(({ tac }) => tac))]
    const [entries, confirmations] = await Promise.all([
      referenceDataStore(db).tacs(tacs),
      tacConfirmationStore(db).confirmations(tacs),
    ])
    const unitsByModel = new Map<string, number>()
    const units: TacUnit[] = []
    for (const { identifier, tac, deviceId } of group) {
      if (units.length >= remaining) break
      const rows = confirmations.get(tac) ?? []
      const confirmed = confirmedModels(tac, rows, organizationId).map(({ entry }) => entry)
      if (isContradicted(matchByTac(identifier, [...(entries.get(tac) ?? []), ...confirmed], []), deviceId)) continue
      const model = `${tac} ${deviceId}`
      const stored = rows.find((row) => row.organizationId === organizationId && row.deviceId === deviceId)?.units ?? 0
      const count = unitsByModel.get(model) ?? stored
      if (count >= MAX_UNITS_PER_MODEL) continue
      unitsByModel.set(model, count + 1)
      units.push({ tac, deviceId, identifierKey: identifier.key })
    }
    return units
  }

  return {
    addRow(text: string, deviceId: string): void {
      if (text === '' || pairs.size >= MAX_CONFIRMATIONS) return
      const identifier = parseIdentifier(text)
      if (isInvalidIdentifier(identifier) || isSandboxIdentifier(identifier)) return
      const tac = learnableTac(identifier)
      if (tac === null) return
      const other = pairs.get(identifier.key)
      // An identifier with two models teaches nothing.
      pairs.set(
        identifier.key,
        other === undefined || other?.deviceId === deviceId ? { identifier, tac, deviceId } : null,
      )
    },

    /** Writes what was learned; returns the number of TACs. */
    async finish(origin: ImportOrigin): Promise<number> {
      const store = tacConfirmationStore(db)
      const usable = [...pairs.values()].filter((pair) => pair !== null).sort((a, b) => (a.tac < b.tac ? -1 : 1))
      let remaining = usable.length === 0 ? 0 : await store.remaining(origin.organizationId)
      const learned = new Set<string>()
      for (let from = 0; from < usable.length && remaining > 0; from += TACS_PER_QUERY) {
        const group = usable.slice(from, from + TACS_PER_QUERY)
        const units = await selectUnits(group, origin.organizationId, remaining)
        if (units.length > 0) await store.addImported(units, origin)
        remaining -= units.length
        for (const { tac } of units) learned.add(tac)
      }
      return learned.size
    },
  }
}
