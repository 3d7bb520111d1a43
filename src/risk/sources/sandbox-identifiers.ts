import table from '../../../data/sandbox/identifiers.json'
import type { IdentifierType } from '../../contract/lookups.ts'
import type { Identifier } from '../../identifier/identifier.ts'
import { isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { FINDING_CODES, NO_FACTS, type SourceFacts } from '../source-facts.ts'

export type SandboxIdentifier = {
  readonly identifier: string
  readonly type: IdentifierType
  readonly outcome: string
  readonly explanation: string
  readonly facts: SourceFacts
  readonly delayMs: number
  readonly unavailable: boolean
}

type SandboxRow = {
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

export const SANDBOX_SOURCE = 'sandbox'

/** The documented test identifiers with their fixed results. */
export const SANDBOX_IDENTIFIERS: readonly SandboxIdentifier[] = (table.identifiers as SandboxRow[]).map((row) => ({
  identifier: row.identifier,
  type: row.type as IdentifierType,
  outcome: row.outcome,
  explanation: row.because,
  facts: {
    ...NO_FACTS,
    blacklist: (row.facts?.blacklist ?? null) as SourceFacts['blacklist'],
    gsma: (row.facts?.gsma ?? null) as SourceFacts['gsma'],
    ctia: (row.facts?.ctia ?? null) as SourceFacts['ctia'],
    carrierLock: (row.facts?.carrier_lock ?? null) as SourceFacts['carrierLock'],
    carrierName: row.facts?.carrier_name ?? null,
    findings: FINDING_CODES.filter((code) => row.facts?.findings?.includes(code)).map((code) => ({
      code,
      observedAt: null,
    })),
  },
  delayMs: row.delay_ms ?? 0,
  unavailable: row.unavailable ?? false,
}))

const BY_KEY = new Map(
  SANDBOX_IDENTIFIERS.map((sandbox) => {
    const parsed = parseIdentifier(sandbox.identifier, sandbox.type)
    if (isInvalidIdentifier(parsed)) throw new Error(`Sandbox identifier ${sandbox.identifier} is invalid`)
    return [`${parsed.type} ${parsed.key}`, sandbox] as const
  }),
)

export function findSandboxIdentifier({ type, key }: Identifier): SandboxIdentifier | undefined {
  return BY_KEY.get(`${type} ${key}`)
}

export function isSandboxIdentifier(identifier: Identifier): boolean {
  return findSandboxIdentifier(identifier) !== undefined
}
