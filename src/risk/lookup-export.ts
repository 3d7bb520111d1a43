import type { ClearanceWire, EvidenceWire, LookupResultWire } from '../contract/lookups.ts'

/** The columns of an exported lookup: the fields of the response in order; a list is one cell. */
const COLUMNS = [
  ['lookup_id', (lookup) => lookup.lookup_id],
  ['timestamp', (lookup) => lookup.timestamp],
  ['identifier', (lookup) => lookup.identifier],
  ['identifier_type', (lookup) => lookup.identifier_type],
  ['matched_device_id', (lookup) => lookup.device_match.matched_device_id],
  ['matched_device_name', (lookup) => lookup.device_match.matched_device_name],
  ['match_confidence', (lookup) => lookup.device_match.confidence],
  ['blacklist_status', (lookup) => lookup.blacklist_status],
  ['gsma_status', (lookup) => lookup.gsma_status],
  ['ctia_status', (lookup) => lookup.ctia_status],
  ['reported_lost_stolen', (lookup) => lookup.reported_lost_stolen],
  ['activation_lock', (lookup) => lookup.activation_lock],
  ['carrier_lock', (lookup) => lookup.carrier_lock],
  ['carrier_name', (lookup) => lookup.carrier_name],
  ['risk_score', (lookup) => lookup.risk_score],
  ['risk_level', (lookup) => lookup.risk_level],
  ['risk_factors', (lookup) => lookup.risk_factors.map(({ code, points }) => `${code} ${points}`).join('; ')],
  ['source', (lookup) => lookup.source],
  ['freshness', (lookup) => lookup.freshness],
  ['cache_age_minutes', (lookup) => lookup.cache_age_minutes],
  ['cleared_by', (lookup) => (lookup.cleared_by ?? []).map(clearanceText).join('; ')],
  ['evidence', (lookup) => (lookup.evidence ?? []).map(evidenceText).join('; ')],
  ['recommendation', (lookup) => lookup.recommendation ?? null],
  ['suggested_identifiers', (lookup) => (lookup.suggested_identifiers ?? []).join('; ')],
  ['created_by', (lookup) => lookup.created_by.name],
] as const satisfies readonly (readonly [string, (lookup: LookupResultWire) => string | number | boolean | null])[]

function clearanceText({ source, list, area }: ClearanceWire): string {
  return [source, list, area].filter((word) => word !== null).join(' ')
}

const evidenceText = ({ source, evidence_id: id }: EvidenceWire): string => `${source} ${id}`

export const LOOKUP_EXPORT_HEADER = COLUMNS.map(([name]) => name)

export const lookupExportCells = (lookup: LookupResultWire): readonly string[] =>
  COLUMNS.map(([, read]) => String(read(lookup) ?? ''))
