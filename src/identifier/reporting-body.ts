/**
 * Status of the body that allocated a TAC, from its first two digits. Source: GSMA TS.06 v25 as cited by
 * en.wikipedia.org/wiki/Reporting_Body_Identifier.
 */
const CODES = {
  test: ['00', '02', '03', '04', '05', '06', '07', '08', '09'],
  assigned: ['01', '35', '86', '99'],
  reserved: ['98'],
  retired: ['10', '30', '33', '44', '45', '49', '50', '51', '52', '53', '54', '91'],
} as const

type ReportingBodyStatus = keyof typeof CODES | 'unallocated'

const STATUSES = new Map<string, ReportingBodyStatus>(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((status) => CODES[status].map((code) => [code, status])),
)

export const reportingBodyStatus = (key: string): ReportingBodyStatus => STATUSES.get(key.slice(0, 2)) ?? 'unallocated'

/** Days a TAC may have been on sale before lists know it; a body that is not listed here allocates no new TACs. */
const LIST_LAG_DAYS: Readonly<Record<string, number>> = { '00': 32, '01': 40, '35': 20, '86': 19, '91': 20, '99': 69 }

export function allocationLagDays(key: string): number | null {
  return LIST_LAG_DAYS[key.slice(0, 2)] ?? null
}

/** 001001–001017, 0044, 0086 and 0091 are reserved for test equipment individually, the other test bodies as a whole. */
export function isTestTac(key: string): boolean {
  return reportingBodyStatus(key) === 'test'
}
