import {
  type Availability,
  type Difficulty,
  FACT_LEVELS,
  FAULTS,
  type FactLevel,
  type FaultKind,
  type PartKind,
  partName,
} from './fault-kinds.ts'
import {
  type CostRange,
  type FactRecord,
  type FailurePoint,
  isBundled,
  type PartFact,
  type RepairabilityScore,
  type RepairFact,
  type Sourced,
} from './repair-fact.ts'
import { type RepairNote, topicOfNote } from './repair-notes.ts'

export type MergedPart = {
  readonly kind: PartKind
  readonly name: string
  readonly cost: Sourced<CostRange> | null
  readonly availability: Sourced<Availability> | null
}

export type MergedRepair = {
  readonly kind: FaultKind
  /** The most specific level that mentions it. */
  readonly level: FactLevel
  readonly name: string
  readonly difficulty: Sourced<Difficulty> | null
  readonly minutes: Sourced<number> | null
  readonly guideUrl: Sourced<string> | null
  readonly parts: readonly MergedPart[]
}

export type MergedFacts = {
  readonly score: Sourced<RepairabilityScore> | null
  readonly repairs: readonly MergedRepair[]
  readonly failurePoints: readonly Sourced<FailurePoint>[]
  readonly notes: readonly Sourced<RepairNote>[]
  readonly proprietaryParts: Sourced<readonly string[]> | null
  readonly specialTools: Sourced<readonly string[]> | null
  readonly updatedAt: number
  /** Absent components, with the most specific level that says so. */
  readonly without: ReadonlyMap<FaultKind, FactLevel>
}

/** Whether facts of a level about a kind of fault apply to this device. */
export function isApplicable({ without }: Pick<MergedFacts, 'without'>, kind: FaultKind, level: FactLevel): boolean {
  const absentLevel = without.get(kind)
  return absentLevel === undefined || FACT_LEVELS.indexOf(level) <= FACT_LEVELS.indexOf(absentLevel)
}

/** Estimates the cost of a part if no source states it. */
export type EstimatePartCost = (part: PartKind) => Sourced<CostRange> | null

/**
 * Merges records, most specific first. A single fact comes from the first record that states it; repairs and their parts are
 * merged by kind, failure points by fault; notes add up, because notes on a line apply to its devices, unless a nearer level
 * answers the same question.
 */
export function mergeFacts(
  chain: readonly FactRecord[],
  estimateCost: EstimatePartCost,
  bundledAt: number,
): MergedFacts {
  return {
    score: nearestFact(chain, (record) => record.score),
    repairs: mergeRepairs(chain, estimateCost),
    failurePoints: mergeDistinct(chain, 'failurePoints', (point) => point.fault),
    notes: mergeNotes(chain),
    proprietaryParts: nearestList(chain, (record) => record.proprietaryParts),
    specialTools: nearestList(chain, (record) => record.specialTools),
    without: mergeAbsentFaults(chain),
    // Fault statistics have no time of their own.
    updatedAt: Math.max(0, ...chain.map((record) => record.updatedAt)) || bundledAt,
  }
}

type FactOrigin = Pick<FactRecord, 'level' | 'source'>
type SourcedFact<T> = { readonly origin: FactOrigin; readonly fact: T }

function nearestFact<T>(chain: readonly FactRecord[], factOf: (record: FactRecord) => T | null): Sourced<T> | null {
  for (const record of chain) {
    const value = factOf(record)
    if (value !== null) return { value, level: record.level, source: record.source }
  }
  return null
}

/** Combines all records of the matching level, since each guide lists only its own tools. Imported and bundled facts do not mix. */
function nearestList(
  chain: readonly FactRecord[],
  listOf: (record: FactRecord) => readonly string[] | null,
): Sourced<readonly string[]> | null {
  const first = chain.find((record) => listOf(record) !== null)
  if (!first) return null
  const byWord = new Map<string, string>()
  for (const record of chain) {
    if (record.level !== first.level || isBundled(record) !== isBundled(first)) continue
    for (const word of listOf(record) ?? []) if (!byWord.has(word.toLowerCase())) byWord.set(word.toLowerCase(), word)
  }
  return { value: [...byWord.values()], level: first.level, source: first.source }
}

function mergeAbsentFaults(chain: readonly FactRecord[]): Map<FaultKind, FactLevel> {
  const absent = new Map<FaultKind, FactLevel>()
  for (const { without, level } of chain) for (const kind of without) if (!absent.has(kind)) absent.set(kind, level)
  return absent
}

function mergeNotes(chain: readonly FactRecord[]): Sourced<RepairNote>[] {
  const levelOfTopic = new Map<number, FactLevel>()
  return mergeDistinct(chain, 'notes', (note) => JSON.stringify(note)).filter(({ value, level }) => {
    const topic = topicOfNote(value)
    if (topic === null) return true
    if (!levelOfTopic.has(topic)) levelOfTopic.set(topic, level)
    return levelOfTopic.get(topic) === level
  })
}

/** The first statement of each fact. */
function mergeDistinct<Name extends 'failurePoints' | 'notes'>(
  chain: readonly FactRecord[],
  name: Name,
  identity: (fact: FactRecord[Name][number]) => string,
): Sourced<FactRecord[Name][number]>[] {
  const byKey = new Map<string, Sourced<FactRecord[Name][number]>>()
  for (const { level, source, [name]: facts } of chain) {
    for (const value of facts) {
      const key = identity(value)
      if (!byKey.has(key)) byKey.set(key, { value, level, source })
    }
  }
  return [...byKey.values()]
}

function mergeRepairs(chain: readonly FactRecord[], estimateCost: EstimatePartCost): MergedRepair[] {
  const repairs = chain.flatMap((record) => record.repairs.map((fact) => ({ origin: record, fact })))
  return [...Map.groupBy(repairs, ({ fact }) => fact.kind)].map(([kind, statements]) => ({
    kind,
    level: statements[0]?.origin.level ?? 'category',
    name: firstStated(statements, (fact) => fact.name)?.value ?? FAULTS[kind].repair,
    difficulty: firstStated(statements, (fact) => fact.difficulty),
    minutes: firstStated(statements, (fact) => fact.minutes),
    guideUrl: firstStated(statements, (fact) => fact.guideUrl),
    parts: mergeParts(kind, statements, estimateCost),
  }))
}

/** Every repair needs at least the part that it is named after, whether or not a source lists it. */
function mergeParts(
  kind: FaultKind,
  repairs: readonly SourcedFact<RepairFact>[],
  estimateCost: EstimatePartCost,
): MergedPart[] {
  const byPart = new Map<string, { kind: PartKind; statements: SourcedFact<PartFact>[] }>([
    [kind, { kind, statements: [] }],
  ])
  for (const { origin, fact } of repairs) {
    for (const part of fact.parts) {
      const key = part.kind === 'other' ? `other ${part.name ?? ''}` : part.kind
      const entry = byPart.get(key) ?? { kind: part.kind, statements: [] }
      entry.statements.push({ origin, fact: part })
      byPart.set(key, entry)
    }
  }
  return [...byPart.values()].map((part) => ({
    kind: part.kind,
    name: firstStated(part.statements, (fact) => fact.name)?.value ?? partName(part.kind),
    cost: firstStated(part.statements, (fact) => fact.cost) ?? estimateCost(part.kind),
    availability: firstStated(part.statements, (fact) => (fact.availability === 'unknown' ? null : fact.availability)),
  }))
}

function firstStated<T, V>(statements: readonly SourcedFact<T>[], factOf: (fact: T) => V | null): Sourced<V> | null {
  for (const { origin, fact } of statements) {
    const value = factOf(fact)
    if (value !== null) return { value, level: origin.level, source: origin.source }
  }
  return null
}
