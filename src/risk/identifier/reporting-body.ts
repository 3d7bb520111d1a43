/**
 * Who allocated a TAC, from its first two digits. Source: GSMA TS.06 v25 as cited by
 * en.wikipedia.org/wiki/Reporting_Body_Identifier. Sources disagree about some names (35 is also called "Comreg,
 * Ireland"), so the name is informational and never adds risk points.
 */
export type ReportingBody = {
  readonly code: string
  readonly status: 'assigned' | 'reserved' | 'retired' | 'test' | 'unallocated'
  readonly name: string | null
}

const REPORTING_BODIES: readonly ReportingBody[] = [
  ...['00', '02', '03', '04', '05', '06', '07', '08', '09'].map(
    (code): ReportingBody => ({ code, status: 'test', name: 'Test identifiers' }),
  ),
  { code: '01', status: 'assigned', name: 'CTIA / PTCRB' },
  { code: '35', status: 'assigned', name: 'TÜV SÜD (BABT)' },
  { code: '86', status: 'assigned', name: 'TAF' },
  { code: '98', status: 'reserved', name: null },
  { code: '99', status: 'assigned', name: 'GHA' },
  ...['10', '30', '33', '44', '45', '49', '50', '51', '52', '53', '54', '91'].map(
    (code): ReportingBody => ({ code, status: 'retired', name: null }),
  ),
]

const BY_CODE = new Map(REPORTING_BODIES.map((body) => [body.code, body]))

export function findReportingBody(key: string): ReportingBody {
  const code = key.slice(0, 2)
  return BY_CODE.get(code) ?? { code, status: 'unallocated', name: null }
}

/** Days a TAC may have been on sale before lists know it; a body that is not listed here allocates no new TACs. */
const LIST_LAG_DAYS: Readonly<Record<string, number>> = { '00': 32, '01': 40, '35': 20, '86': 19, '91': 20, '99': 69 }

export function allocationLagDays(key: string): number | null {
  return LIST_LAG_DAYS[key.slice(0, 2)] ?? null
}

/** 001001–001017, 0044, 0086 and 0091 are reserved for test equipment individually, the other test bodies as a whole. */
export function isTestTac(key: string): boolean {
  return findReportingBody(key).status === 'test'
}
