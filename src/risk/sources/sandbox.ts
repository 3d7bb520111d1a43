import table from '../../../data/sandbox/identifiers.json'
import type { IdentifierType } from '../../contract/imei.ts'
import { type Facts, FINDINGS, NO_FACTS } from '../facts.ts'
import type { Identifier } from '../identifier/identifier.ts'
import { isUnreadable } from '../identifier/identifier.ts'
import { readIdentifier } from '../identifier/read.ts'

export type SandboxIdentifier = {
  readonly identifier: string
  readonly type: IdentifierType
  readonly outcome: string
  readonly because: string
  readonly facts: Facts
  readonly delayMs: number
  readonly unavailable: boolean
}

type Row = {
  identifier: string
  type: string
  outcome: string
  because: string
  facts?: {
    blacklist?: string
    gsma?: string
    ctia?: string
    carrier_lock?: string
    carrier_name?: string
    findings?: string[]
  }
  delay_ms?: number
  unavailable?: boolean
}

export const SANDBOX = 'sandbox'

/** The documented test identifiers, each with its fixed answer. */
export const SANDBOX_IDENTIFIERS: readonly SandboxIdentifier[] = (table.identifiers as Row[]).map((row) => ({
  identifier: row.identifier,
  type: row.type as IdentifierType,
  outcome: row.outcome,
  because: row.because,
  facts: {
    ...NO_FACTS,
    blacklist: (row.facts?.blacklist ?? null) as Facts['blacklist'],
    gsma: (row.facts?.gsma ?? null) as Facts['gsma'],
    ctia: (row.facts?.ctia ?? null) as Facts['ctia'],
    carrierLock: (row.facts?.carrier_lock ?? null) as Facts['carrierLock'],
    carrierName: row.facts?.carrier_name ?? null,
    findings: FINDINGS.filter((code) => row.facts?.findings?.includes(code)).map((code) => ({
      code,
      observedAt: null,
    })),
  },
  delayMs: row.delay_ms ?? 0,
  unavailable: row.unavailable ?? false,
}))

const BY_KEY = new Map(
  SANDBOX_IDENTIFIERS.map((sandbox) => {
    const read = readIdentifier(sandbox.identifier, sandbox.type)
    if (isUnreadable(read)) throw new Error(`The sandbox identifier ${sandbox.identifier} is none`)
    return [`${read.type} ${read.key}`, sandbox] as const
  }),
)

export function findSandboxIdentifier({ type, key }: Identifier): SandboxIdentifier | undefined {
  return BY_KEY.get(`${type} ${key}`)
}

export function isSandboxIdentifier(identifier: Identifier): boolean {
  return findSandboxIdentifier(identifier) !== undefined
}
