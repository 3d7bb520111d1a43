/**
 * Reads what a text states about a device: faults, facts, wear, locks, parts and what kind of offer it is. It knows no prices and
 * no surface: a reading is data, a decision is the caller's.
 */
import { LRUCache } from 'lru-cache'
import { DEFECT_CODES, type DefectCode } from '../contract/defect-catalogue.ts'
import { runToEnd, type TimeSliced } from '../lib/time-sliced.ts'
import { type Clause, findClauses } from './clauses.ts'
import { type ExactFacts, findBarredWords, readFacts, type TextRange, withoutIdentifiers } from './facts.ts'
import {
  DEFECT_COUNT,
  type Detail,
  GRADE_CLAIMS,
  LABEL_INDEX,
  type Label,
  MISSING_ITEMS,
  OTHER_OFFERS,
  REASONS,
  REPLACED_PARTS,
  type Reason,
  WEAR,
  WEAR_PLACES,
} from './labels.ts'
import { type Scores, scoreClauses, thresholds } from './network.ts'
import { findTaught, NO_TAUGHT_PHRASES, type TaughtPhrases, type TaughtStatement } from './taught.ts'
import { type Token, tokenize } from './text-tokens.ts'
import { deniesDamage, deniesLock, findNotWorking, saysNever } from './whole-device.ts'

/** `other_subject`: of a case, a protector or another device. `praised`: the part is named because it is good. */
export type Assertion = 'present' | 'absent' | 'historical' | 'hypothetical' | 'other_subject' | 'praised'

export type Statement = TextRange & {
  readonly code: DefectCode
  readonly assertion: Assertion
  /** Probability, 0–1. */
  readonly certainty: number
}

/** Words that may state a fault: a person has to read them. */
export type UnclearClause = TextRange & { readonly code: DefectCode | null; readonly certainty: number }

export type Claim<Value> = TextRange & { readonly value: Value }

export type OfferKind = 'device' | (typeof OTHER_OFFERS)[number]

export type Reading = ExactFacts & {
  /** Of each defect the surest statement; denials only of defects that no other words state. */
  readonly statements: readonly Statement[]
  readonly unclear: readonly UnclearClause[]
  /** Clauses that say that something is not there: "no scratches". */
  readonly denials: readonly TextRange[]
  readonly grades: readonly Claim<(typeof GRADE_CLAIMS)[number]>[]
  readonly wear: readonly (Claim<(typeof WEAR)[number]> & { readonly places: readonly string[] })[]
  readonly isUnlocked: TextRange | null
  readonly replacedParts: readonly (Claim<(typeof REPLACED_PARTS)[number]> & { readonly isOriginal: boolean | null })[]
  readonly missingItems: readonly Claim<(typeof MISSING_ITEMS)[number]>[]
  readonly hasWarranty: Claim<boolean> | null
  /** Stolen, reported or not paid off. */
  readonly barred: TextRange | null
  readonly offer: OfferKind
  readonly taught: readonly TaughtStatement[]
  /** The text without statements and identifiers: blanks stand in their place. */
  readonly rest: string
}

const ASSERTIONS: Readonly<Record<Reason, Assertion>> = {
  absent: 'absent',
  past: 'historical',
  if: 'hypothetical',
  other: 'other_subject',
  praise: 'praised',
}

/** Below this health a battery counts as weak. */
export const WEAK_BATTERY_PERCENT = 80
/** Defects that take nearly all of the value need more certainty. */
const TOTAL_DEFECTS: ReadonlySet<DefectCode> = new Set(['no_power', 'water_damage', 'activation_locked'])
/** Characters of a text that are read; callers refuse longer ones. */
const MAX_READ_CHARS = 4_000

const indexOf = (label: Label) => LABEL_INDEX.get(label) as number
const probability = (logOdds: number) => 1 / (1 + Math.exp(-logOdds))

/** `taught`: words of the organization, which decide about their clause. */
export function readText(text: string, taught: TaughtPhrases = NO_TAUGHT_PHRASES): Reading {
  return runToEnd(readTextInSlices(text, taught))
}

/** Yields between windows of a long text. */
export function* readTextInSlices(sellerText: string, taught: TaughtPhrases = NO_TAUGHT_PHRASES): TimeSliced<Reading> {
  const text = sellerText.slice(0, MAX_READ_CHARS).normalize('NFC')
  const { facts, ...page } = pages.get(text) ?? (yield* readPage(text))
  const { tokens, clauses } = page
  if (tokens.length === 0) return emptyReading(text, facts)
  const taughtWords = findTaught(tokens, taught).filter((words) => !isDenied(page, words))
  const isTaught = (words: TextRange) => taughtWords.some((phrase) => overlaps(phrase, words))
  const defects = withNotWorking(readDefects(page, facts), findNotWorking(tokens), tokens.length <= MAX_TERSE_TOKENS)
  // What the shop says of its words counts before what was learned.
  const statements = defects.statements.filter((statement) => !isTaught(statement))
  const unclear = defects.unclear.filter((clause) => !isTaught(clause))
  const surest = <Value>(label: Detail, value: Value, threshold = thresholds.detail) =>
    claim(page, label, value, threshold)
  const barredWords = findBarredWords(tokens)
  // "not blacklisted" is what honest sellers write.
  const barred = barredWords.stated ?? (barredWords.areNegated ? null : surest('barred', true))
  const mayBeOther = surest('other_fault', null, thresholds.otherFault)
  const other = mayBeOther && !saysNever(tokens, mayBeOther) ? mayBeOther : null
  const left = surest('warranty:left', true)
  const reading = {
    ...facts,
    statements,
    unclear:
      other && !isTaught(other) && statements.every((statement) => !overlaps(statement, other))
        ? [...unclear, { ...range(other), code: null, certainty: thresholds.otherFault }]
        : unclear,
    denials: clauses.flatMap((clause, at) =>
      deniesSomething(page, at) ? [rangeOf(tokens, clause.from, clause.to)] : [],
    ),
    grades: GRADE_CLAIMS.flatMap((grade) => surest(`grade:${grade}`, grade) ?? []).filter((claim) => !isTaught(claim)),
    wear: WEAR.flatMap((degree) => {
      const found = surest(`worn:${degree}`, degree)
      return found && !isTaught(found)
        ? [{ ...found, places: WEAR_PLACES.filter((where) => isClaimed(page, found.clause, `worn_at:${where}`)) }]
        : []
    }),
    isUnlocked: surest('lock:unlocked', true),
    replacedParts: REPLACED_PARTS.flatMap((part) => {
      const found = surest(`replaced:${part}`, part)
      if (!found) return []
      const isOriginal = isClaimed(page, found.clause, 'replaced_original')
        ? true
        : isClaimed(page, found.clause, 'replaced_copy')
          ? false
          : null
      return [{ ...found, isOriginal }]
    }),
    missingItems: MISSING_ITEMS.flatMap((item) => surest(`gone:${item}`, item) ?? []),
    hasWarranty: left ?? surest('warranty:over', false),
    barred,
    offer: readOffer(page),
    taught: taughtWords,
  }
  return { ...reading, rest: restOf(text, reading) }
}

type Page = { readonly tokens: readonly Token[]; readonly clauses: readonly Clause[]; readonly scores: Scores }

/** The same words are read several times: rows of a list when they are split, joined and appraised, templates of sellers. */
const pages = new LRUCache<string, Page & { readonly facts: ExactFacts }>({ max: 500 })
const MAX_CACHED_CHARS = 300

function* readPage(text: string): TimeSliced<Page & { readonly facts: ExactFacts }> {
  const allTokens = tokenize(text)
  const facts = readFacts(allTokens)
  const tokens = withoutIdentifiers(allTokens, facts)
  const clauses = findClauses(tokens)
  if (text.length > MAX_CACHED_CHARS) yield
  const page = { facts, tokens, clauses, scores: yield* scoreClauses(tokens, clauses) }
  if (text.length > MAX_CACHED_CHARS) yield
  else pages.set(text, page)
  return page
}

const overlaps = (a: TextRange, b: TextRange) => a.from < b.to && a.to > b.from
const range = ({ from, to }: TextRange): TextRange => ({ from, to })

function rangeOf(tokens: readonly Token[], from: number, to: number): TextRange {
  return { from: tokens[from]?.from ?? 0, to: tokens[to - 1]?.to ?? 0 }
}

/** The clause that claims a detail most surely, if sure enough. */
function claim<Value>({ tokens, clauses, scores }: Page, label: Detail, value: Value, threshold: number) {
  const at = indexOf(label)
  let best = -1
  scores.clauses.forEach((score, c) => {
    if (best < 0 || (score[at] as number) > (scores.clauses[best]?.[at] as number)) best = c
  })
  const clause = clauses[best]
  if (!clause || probability(scores.clauses[best]?.[at] as number) < threshold) return null
  return { ...trimmed(tokens, clause), value, clause: best }
}

const isClaimed = ({ scores }: Page, clause: number, label: Detail) =>
  probability(scores.clauses[clause]?.[indexOf(label)] as number) >= thresholds.detail

/** "ohne Kratzer" */
const deniesSomething = (page: Page, clause: number) => isClaimed(page, clause, 'reason:absent')

function isDenied(page: Page, words: TextRange): boolean {
  const { tokens, clauses } = page
  const at = clauses.findIndex((clause) => overlaps(rangeOf(tokens, clause.from, clause.to), words))
  return at >= 0 && deniesSomething(page, at)
}

/** A clause without the signs around it. */
function trimmed(tokens: readonly Token[], { from, to }: Clause): TextRange {
  let first = from
  let last = to
  const isSign = (at: number) => !/^[\p{L}\p{N}]/u.test(tokens[at]?.text ?? '')
  while (first < last - 1 && isSign(first)) first++
  while (last > first + 1 && isSign(last - 1) && tokens[last - 1]?.text !== '%') last--
  return rangeOf(tokens, first, last)
}

type Defects = { readonly statements: readonly Statement[]; readonly unclear: readonly UnclearClause[] }

const LOCKS: ReadonlySet<DefectCode> = new Set(['carrier_locked', 'activation_locked'])

function readDefects(page: Page, { battery }: ExactFacts): Defects {
  const { clauses, scores, tokens } = page
  const statements: Statement[] = []
  const unclear: UnclearClause[] = []
  DEFECT_CODES.forEach((code, label) => {
    if (code === 'weak_battery' && battery) {
      if (battery.value < WEAK_BATTERY_PERCENT)
        statements.push({ ...range(battery), code, assertion: 'present', certainty: 1 })
      return
    }
    const states = TOTAL_DEFECTS.has(code) ? Math.max(thresholds.states, thresholds.statesTotal) : thresholds.states
    let best = 0
    let bestClause = -1
    let denied = thresholds.detail
    let deniedClause = -1
    scores.clauses.forEach((score, c) => {
      const certainty = probability(score[label] as number)
      if (certainty > best) [best, bestClause] = [certainty, c]
      const denial = probability(score[DEFECT_COUNT + label] as number)
      if (denial > denied) [denied, deniedClause] = [denial, c]
    })
    const clause = clauses[bestClause]
    const words = clause && best >= thresholds.asks ? wordsOf(page, clause, label) : null
    const isDenied = clause && words && (LOCKS.has(code) ? deniesLock(tokens, clause) : deniesDamage(tokens, words))
    if (words && isDenied) statements.push({ ...words, code, assertion: 'absent', certainty: RULE_CERTAINTY })
    else if (words && best >= states) statements.push({ ...words, code, assertion: 'present', certainty: best })
    else if (clause && best >= thresholds.asks) unclear.push({ ...trimmed(tokens, clause), code, certainty: best })
    const denial = clauses[deniedClause]
    if (denial && best < thresholds.asks)
      statements.push({
        ...wordsOf(page, denial, DEFECT_COUNT + label),
        code,
        assertion: reasonOf(page, deniedClause),
        certainty: denied,
      })
  })
  return { statements, unclear }
}

/** Defects that explain nothing if the seller says that the device does not work. */
const BESIDE_NOT_WORKING: ReadonlySet<DefectCode> = new Set([
  'no_power',
  'weak_battery',
  'missing_accessories',
  'carrier_locked',
])
/** Of statements that rest on a rule of grammar. */
const RULE_CERTAINTY = 0.9

/** Longer texts explain what "defekt" in their first line means. */
const MAX_TERSE_TOKENS = 20

/**
 * A device that "does not work" without another fault that explains it counts as one without power, if nothing is left that may
 * explain it; else a person is asked.
 */
function withNotWorking({ statements, unclear }: Defects, words: TextRange | null, isTerse: boolean): Defects {
  const isExplained = statements.some(({ code, assertion }) => assertion === 'present' && !BESIDE_NOT_WORKING.has(code))
  const dead = statements.find(({ code, assertion }) => assertion === 'present' && code === 'no_power')
  // The rule knows which words say so better than the network.
  const isStated = dead !== undefined && !(isTerse && words && overlaps(dead, words))
  if (!words || isExplained || isStated) return { statements, unclear }
  if (!isTerse) return { statements, unclear: [...unclear, { ...words, code: 'no_power', certainty: thresholds.asks }] }
  return {
    statements: [
      ...statements.filter(({ code }) => code !== 'no_power'),
      { ...words, code: 'no_power', assertion: 'present', certainty: RULE_CERTAINTY },
    ],
    unclear: unclear.filter((clause) => !overlaps(clause, words)),
  }
}

function reasonOf({ scores }: Page, clause: number): Assertion {
  const score = scores.clauses[clause] as Float32Array
  const reason = REASONS.reduce((best, each) =>
    (score[indexOf(`reason:${each}`)] as number) > (score[indexOf(`reason:${best}`)] as number) ? each : best,
  )
  return ASSERTIONS[reason]
}

/** Log-odds that a token may have less than the surest one of its statement. */
const WORD_MARGIN = 3
const MAX_GAP = 1

/** The words of a clause that state a label: from the first to the last of those that say so, around the surest one. */
function wordsOf({ tokens, scores }: Page, clause: Clause, label: number): TextRange {
  const score = (at: number) => scores.tokens[at]?.[label] ?? -9
  let best = clause.from
  for (let at = clause.from; at < clause.to; at++) if (score(at) > score(best)) best = at
  const least = Math.max(score(best) - WORD_MARGIN, Math.min(0, score(best)))
  let [from, to] = [best, best + 1]
  for (let at = best - 1, gap = 0; at >= clause.from && gap <= MAX_GAP; at--) {
    if (score(at) >= least) [from, gap] = [at, 0]
    else gap++
  }
  for (let at = best + 1, gap = 0; at < clause.to && gap <= MAX_GAP; at++) {
    if (score(at) >= least) [to, gap] = [at + 1, 0]
    else gap++
  }
  return trimmed(tokens, { from, to })
}

function readOffer({ scores }: Page): OfferKind {
  let best: OfferKind = 'device'
  let highest = thresholds.offer
  OTHER_OFFERS.forEach((offer, index) => {
    const certainty = probability(scores.offers[index] as number)
    if (certainty > highest) [best, highest] = [offer, certainty]
  })
  return best
}

function restOf(
  text: string,
  { statements, identifiers, battery, cycles, points, taught }: Omit<Reading, 'rest'>,
): string {
  let rest = text
  const blank = ({ from, to }: TextRange) => {
    rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  }
  for (const part of [...statements, ...identifiers, ...taught]) blank(part)
  for (const fact of [battery, cycles, points]) if (fact) blank(fact)
  return rest
}

const emptyReading = (text: string, facts: ExactFacts): Reading => ({
  ...facts,
  statements: [],
  unclear: [],
  denials: [],
  grades: [],
  wear: [],
  isUnlocked: null,
  replacedParts: [],
  missingItems: [],
  hasWarranty: null,
  barred: null,
  offer: 'device',
  taught: [],
  rest: text,
})
