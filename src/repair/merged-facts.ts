import {
  type CostRange,
  type FactRecord,
  type FailurePoint,
  isOnBoard,
  type Known,
  type PartFact,
  type RepairFact,
  type Score,
} from './fact.ts'
import {
  type Availability,
  type Difficulty,
  FAULT_WORDS,
  type FaultKind,
  LEVELS,
  type Level,
  type PartKind,
  partWords,
} from './kind.ts'

export type MergedPart = {
  readonly kind: PartKind
  readonly name: string
  readonly cost: Known<CostRange> | null
  readonly availability: Known<Availability> | null
}

export type MergedRepair = {
  readonly kind: FaultKind
  /** The nearest level that speaks of it. */
  readonly level: Level
  readonly name: string
  readonly difficulty: Known<Difficulty> | null
  readonly minutes: Known<number> | null
  readonly guideUrl: Known<string> | null
  readonly parts: readonly MergedPart[]
}

export type MergedFacts = {
  readonly score: Known<Score> | null
  readonly repairs: readonly MergedRepair[]
  readonly failurePoints: readonly Known<FailurePoint>[]
  readonly notes: readonly Known<string>[]
  readonly proprietaryParts: Known<readonly string[]> | null
  readonly specialTools: Known<readonly string[]> | null
  readonly updatedAt: number | null
  /** What there is none of, by the nearest level that says so. */
  readonly without: ReadonlyMap<FaultKind, Level>
}

/** Whether something a level says of a kind of fault holds for this device at all. */
export function applies({ without }: Pick<MergedFacts, 'without'>, kind: FaultKind, level: Level): boolean {
  const denied = without.get(kind)
  return denied === undefined || LEVELS.indexOf(level) <= LEVELS.indexOf(denied)
}

/** Says what a part costs when no source does. */
export type EstimateCost = (part: PartKind) => Known<CostRange> | null

/**
 * One picture from many records, nearest first. A single fact comes from the nearest record that states it; repairs meet
 * by kind, their parts by kind, failure points by fault; notes add up, since what is true of a line is true of its devices.
 */
export function mergeFacts(chain: readonly FactRecord[], estimateCost: EstimateCost): MergedFacts {
  return {
    score: nearest(chain, (record) => record.score),
    repairs: mergeRepairs(chain, estimateCost),
    failurePoints: gather(
      chain,
      (record) => record.failurePoints,
      (point) => point.fault,
    ),
    notes: gather(
      chain,
      (record) => record.notes,
      (note) => note,
    ),
    proprietaryParts: nearestList(chain, (record) => record.proprietaryParts),
    specialTools: nearestList(chain, (record) => record.specialTools),
    without: denials(chain),
    updatedAt: chain.length > 0 ? Math.max(...chain.map((record) => record.updatedAt)) : null,
  }
}

type Statement = Pick<FactRecord, 'level' | 'source'>
type Said<T> = { readonly by: Statement; readonly fact: T }

function nearest<T>(chain: readonly FactRecord[], factOf: (record: FactRecord) => T | null): Known<T> | null {
  for (const record of chain) {
    const value = factOf(record)
    if (value !== null) return { value, level: record.level, source: record.source }
  }
  return null
}

/** Records of the level that answers add up, since each guide names only its own tools; imports and facts on board do not mix. */
function nearestList(
  chain: readonly FactRecord[],
  listOf: (record: FactRecord) => readonly string[] | null,
): Known<readonly string[]> | null {
  const first = chain.find((record) => listOf(record) !== null)
  if (!first) return null
  const byWord = new Map<string, string>()
  for (const record of chain) {
    if (record.level !== first.level || isOnBoard(record) !== isOnBoard(first)) continue
    for (const word of listOf(record) ?? []) if (!byWord.has(word.toLowerCase())) byWord.set(word.toLowerCase(), word)
  }
  return { value: [...byWord.values()], level: first.level, source: first.source }
}

function denials(chain: readonly FactRecord[]): Map<FaultKind, Level> {
  const denied = new Map<FaultKind, Level>()
  for (const { without, level } of chain) for (const kind of without) if (!denied.has(kind)) denied.set(kind, level)
  return denied
}

function gather<T>(
  chain: readonly FactRecord[],
  factsOf: (record: FactRecord) => readonly T[],
  identity: (fact: T) => string,
): Known<T>[] {
  const found = new Map<string, Known<T>>()
  for (const record of chain) {
    for (const value of factsOf(record)) {
      const key = identity(value)
      if (!found.has(key)) found.set(key, { value, level: record.level, source: record.source })
    }
  }
  return [...found.values()]
}

function mergeRepairs(chain: readonly FactRecord[], estimateCost: EstimateCost): MergedRepair[] {
  const byKind = new Map<FaultKind, Said<RepairFact>[]>()
  for (const record of chain) {
    for (const fact of record.repairs) push(byKind, fact.kind, { by: record, fact })
  }
  return [...byKind].map(([kind, said]) => ({
    kind,
    level: said[0]?.by.level ?? 'category',
    name: firstOf(said, (fact) => fact.name)?.value ?? FAULT_WORDS[kind].repair,
    difficulty: firstOf(said, (fact) => fact.difficulty),
    minutes: firstOf(said, (fact) => fact.minutes),
    guideUrl: firstOf(said, (fact) => fact.guideUrl),
    parts: mergeParts(kind, said, estimateCost),
  }))
}

/** Every repair takes at least the part that gives it its name, whether or not a source lists it. */
function mergeParts(kind: FaultKind, repairs: readonly Said<RepairFact>[], estimateCost: EstimateCost): MergedPart[] {
  const byPart = new Map<string, { kind: PartKind; said: Said<PartFact>[] }>([[kind, { kind, said: [] }]])
  for (const { by, fact } of repairs) {
    for (const part of fact.parts) {
      const key = part.kind === 'other' ? `other ${part.name ?? ''}` : part.kind
      const entry = byPart.get(key) ?? { kind: part.kind, said: [] }
      entry.said.push({ by, fact: part })
      byPart.set(key, entry)
    }
  }
  return [...byPart.values()].map((part) => ({
    kind: part.kind,
    name: firstOf(part.said, (fact) => fact.name)?.value ?? partWords(part.kind),
    cost: firstOf(part.said, (fact) => fact.cost) ?? estimateCost(part.kind),
    availability: firstOf(part.said, (fact) => (fact.availability === 'unknown' ? null : fact.availability)),
  }))
}

function firstOf<T, V>(said: readonly Said<T>[], factOf: (fact: T) => V | null): Known<V> | null {
  for (const { by, fact } of said) {
    const value = factOf(fact)
    if (value !== null) return { value, level: by.level, source: by.source }
  }
  return null
}

function push<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const list = into.get(key)
  if (list) list.push(value)
  else into.set(key, [value])
}
