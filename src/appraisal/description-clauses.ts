/** Statements of a description: which part a state describes, and what is negated. */
import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import {
  CASE_FAULTS,
  codesOfPart,
  DEFECTIVE_IF_ABSENT,
  PART_RULES,
  PARTS_IN_GOOD_STATE,
  PHRASE_CODES,
  PICTURE_PHRASES,
  SCRATCHED_OPTICS,
  STATE_ALONE,
  UNREAD_IF_ABSENT,
  WORN,
} from './described-parts.ts'
import type { Mention, PartName, StateName, StatePhrase } from './description-lexicon.ts'

/** A range of the text and its meaning; `nothing` for words that are negated or describe something else. */
export type Statement = {
  readonly from: number
  readonly to: number
  readonly means: readonly DefectCode[] | Condition | CarrierLock | 'unread' | 'withheld' | 'nothing'
  /** A state without a part. */
  readonly isBare?: boolean
  readonly isOptional?: boolean
  /** The text denies it: "no cracks". */
  readonly isDenied?: boolean
  /** No list has the word. */
  readonly isUnknown?: boolean
}

export function readStatements(mentions: readonly Mention[]): Statement[] {
  const clauses: Mention[][] = []
  for (const mention of mentions) {
    if (mention.startsClause || clauses.length === 0) clauses.push([mention])
    else clauses.at(-1)?.push(mention)
  }
  return clauses.flatMap(readClause)
}

const DAMAGE = new Set<StateName>(['cracked', 'damaged', 'worn'])

/** Words that follow each other with nothing but blanks between them. */
function readClause(clause: readonly Mention[]): Statement[] {
  const statements: Statement[] = []
  const used = new Set<number>()
  /** Positions of the states that describe a part. */
  const statesOfParts = new Set<number>()
  const isFree = (at: number) => !used.has(at)
  const add = (
    positions: readonly number[],
    means: Statement['means'],
    details: Omit<Statement, 'from' | 'to' | 'means'> = {},
  ) => {
    let first = Math.min(...positions)
    while (clause[first - 1]?.isStrengthener && isFree(first - 1)) first--
    const last = Math.max(...positions)
    for (let at = first; at <= last; at++) used.add(at)
    statements.push({ from: (clause[first] as Mention).from, to: (clause[last] as Mention).to, means, ...details })
  }
  /** The nearest mention in a direction, without fillers. */
  const next = (from: number, step: 1 | -1): number => {
    let at = from + step
    while (clause[at]?.kind === 'filler') at += step
    return at
  }
  /** Position of the word that negates this one, or -1. */
  const negationOf = (at: number): number => {
    const after = next(at, 1)
    if (clause[after]?.kind === 'negation_after') return after
    const before = next(at, -1)
    if (clause[before]?.kind === 'negation' && isFree(before)) return before
    if (isAccessory(at)) return deniedBeforeAccessory(before)
    // "no dents or scratches": both are denied.
    if (clause[before]?.kind === 'or' || (clause[before]?.kind === 'and' && isListedDamage(at)))
      return deniedBefore(next(before, -1))
    const farther = next(before, -1)
    return clause[before]?.kind === 'part' && clause[farther]?.kind === 'negation' ? farther : -1
  }

  /** "without scratches and cracks", unlike "no scratches and cracked back". */
  function isListedDamage(at: number): boolean {
    const mention = clause[at]
    const isDamage = mention?.kind === 'condition' || (mention?.kind === 'state' && DAMAGE.has(mention.state))
    return isDamage && clause[next(at, 1)]?.kind !== 'part'
  }

  function deniedBefore(at: number): number {
    const mention = clause[at]
    if (mention?.kind !== 'state' && mention?.kind !== 'condition' && mention?.kind !== 'phrase') return -1
    const before = next(at, -1)
    if (clause[before]?.kind === 'negation') return before
    return clause[before]?.kind === 'or' ? deniedBefore(next(before, -1)) : -1
  }

  /** "no box and charger", "without original box or cable". */
  function deniedBeforeAccessory(at: number): number {
    const kind = clause[at]?.kind
    if (kind === 'negation') return at
    const isOfList = kind === 'and' || kind === 'or' || kind === 'box' || kind === 'accessory' || isGood(at)
    return isOfList ? deniedBeforeAccessory(next(at, -1)) : -1
  }

  function isGood(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'state' && mention.state === 'ok'
  }

  readStates()
  for (let at = 0; at < clause.length; at++) if (isFree(at)) readSingle(at)
  return statements

  /** A state belongs to the part after it ("cracked screen") or before it ("screen cracked"), in the order of the clause. */
  function readStates(): void {
    const first = clause.find(({ kind }) => kind === 'part' || kind === 'state')
    const steps = first?.kind === 'part' ? ([-1, 1] as const) : ([1, -1] as const)
    for (let at = 0; at < clause.length; at++) {
      const mention = clause[at] as Mention
      if (mention.kind !== 'state' || !isFree(at)) continue
      const { state } = mention
      const parts = steps.map((step) => partsBeside(at, step, state)).find((found) => found.length > 0) ?? []
      const negation = negationOf(at)
      const positions = negation < 0 ? [at] : [at, negation]
      const covering = [next(at, 1), next(at, -1)].find((beside) => clause[beside]?.kind === 'covering_part')
      if (parts.length > 0 && parts.some((part) => clause[next(part, 1)]?.kind === 'covering_part')) {
        add([...positions, ...parts, next(Math.max(...parts), 1)], 'nothing')
      } else if (parts.length > 0) {
        const codes = parts.map((part) => codesOfPart(clause[part] as Mention, state))
        // "display hinge loose", "camera with broken glass": the word before the part says which one.
        const whichPart = next(Math.min(...parts), -1)
        if (isFreePart(whichPart)) {
          if (isPart(Math.min(...parts), 'glass')) codes[0] = codesOfPart(clause[whichPart] as Mention, state)
          parts.push(whichPart)
        }
        if (state === 'replaced') {
          const isBattery = parts.every((part) => isPart(part, 'battery'))
          add([...positions, ...parts], isBattery || negation >= 0 ? 'nothing' : 'unread', { isDenied: negation >= 0 })
          continue
        }
        const isFaulty = state === 'ok' ? isVerbalNegation(negation) : negation < 0
        statesOfParts.add(at)
        for (const partCodes of isFaulty ? codes : []) add([...positions, ...parts], partCodes)
        add([...positions, ...parts], 'nothing', { isDenied: negation >= 0 })
      } else if (covering !== undefined) {
        const covered = next(covering, -1)
        const isCovered = clause[covered]?.kind === 'part'
        const isFaultyCase = isCase(covering) && negation < 0 && !isCovered
        const means = (isFaultyCase && CASE_FAULTS[state]) || 'nothing'
        add([...positions, covering, isCovered ? covered : covering], means, { isOptional: true })
      } else if (accessoryBeside(at) >= 0 && state === 'missing') {
        add([...positions, accessoryBeside(at)], ['missing_accessories'])
      } else if (accessoryBeside(at) >= 0 && state === 'drift') {
        // The controller that comes with the console.
        add([...positions, accessoryBeside(at)], negation < 0 ? PHRASE_CODES.stick_drift : 'nothing')
      } else if (followsStateOfPart(at)) {
        add([...positions, next(at, -1)], 'nothing')
      } else if (isPicturePhrase(next(at, -1))) {
        add(positions, 'nothing')
      } else if (state === 'ok' && isVerbalNegation(negation)) {
        add(positions, PHRASE_CODES.no_power, { isBare: true })
      } else {
        const means = STATE_ALONE[state]
        if (means) add(positions, negation < 0 ? means : 'nothing', { isBare: true, isDenied: negation >= 0 })
      }
    }
  }

  function accessoryBeside(at: number): number {
    return [next(at, 1), next(at, -1), accessoryBeforeBox(next(at, -1))].find(isAccessory) ?? -1
  }

  function isAccessory(at: number): boolean {
    return clause[at]?.kind === 'accessory'
  }

  /** "charger and box missing". */
  function accessoryBeforeBox(at: number): number {
    const conjunction = clause[at]?.kind === 'box' ? next(at, -1) : -1
    return clause[conjunction]?.kind === 'and' ? next(conjunction, -1) : -1
  }

  /** Positions of the parts that a state describes: "cracked screen and back". */
  function partsBeside(at: number, step: 1 | -1, state: StateName): number[] {
    const fits = (position: number) => {
      const mention = clause[position]
      if (mention?.kind !== 'part' || !isFree(position)) return false
      if (state === 'replaced') return true
      if (state === 'ok') return PARTS_IN_GOOD_STATE.has(mention.part) || isVerbalNegation(negationOf(at))
      return PART_RULES[mention.part].states.includes(state)
    }
    let position = next(at, step)
    if (step === -1 && clause[position]?.kind === 'negation') position = next(position, step)
    const parts: number[] = []
    while (fits(position)) {
      parts.push(position)
      const conjunction = next(position, step)
      if (clause[conjunction]?.kind !== 'and') break
      position = next(conjunction, step)
    }
    return parts
  }

  /** "not functional", unlike "no original box". */
  function isVerbalNegation(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'negation' && mention.isVerbal
  }

  /** "works, but Face ID does not". */
  function endsWithVerbalNegation(at: number): boolean {
    const following = next(at, 1)
    // "… does not / black"
    const end = clause[following]?.kind === 'and' ? next(following, 1) : following
    return isVerbalNegation(at) && clause[at]?.unknownWordTo === undefined && clause[end] === undefined
  }

  /** The "noisy" of "fan loose and noisy". */
  function followsStateOfPart(at: number): boolean {
    const conjunction = next(at, -1)
    return clause[conjunction]?.kind === 'and' && statesOfParts.has(next(conjunction, -1))
  }

  function isPicturePhrase(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'phrase' && PICTURE_PHRASES.has(mention.phrase)
  }

  function isCase(at: number): boolean {
    const mention = clause[at]
    return mention?.kind === 'covering_part' && mention.isCase
  }

  function isCovering(at: number): boolean {
    return clause[at]?.kind === 'covering_part'
  }

  function scratchedOptics(at: number): readonly DefectCode[] | undefined {
    const mention = clause[at]
    return mention?.kind === 'part' ? SCRATCHED_OPTICS[mention.part] : undefined
  }

  function isPart(at: number, part: PartName): boolean {
    const mention = clause[at]
    return mention?.kind === 'part' && mention.part === part
  }

  /** "bent charging port": the part is bent, not the housing. */
  function codesOfPhrase(phrase: StatePhrase, at: number): readonly DefectCode[] {
    const part = [next(at, 1), next(at, -1)].find(isFreePart)
    return phrase === 'cracked_back' && part !== undefined ? codesOfPart(clause[part] as Mention) : PHRASE_CODES[phrase]
  }

  function isFreePart(at: number): boolean {
    return clause[at]?.kind === 'part' && isFree(at)
  }

  function readSingle(at: number): void {
    const mention = clause[at] as Mention
    const negation = negationOf(at)
    const positions = negation < 0 ? [at] : [at, negation]
    const isNegated = negation >= 0
    switch (mention.kind) {
      case 'phrase':
        // "green line on the display": the part belongs to the phrase.
        add(
          [...positions, ...[next(at, 1), next(at, -1)].filter((beside) => isFreePart(beside) || isCovering(beside))],
          isNegated || isCovering(next(at, 1)) ? 'nothing' : codesOfPhrase(mention.phrase, at),
          { isBare: mention.phrase === 'cracked_back', isDenied: isNegated },
        )
        break
      case 'condition': {
        // "display scratches": the part belongs to the wear.
        const parts = WORN.has(mention.condition) ? [next(at, 1), next(at, -1)].filter(isFreePart) : []
        const optics = parts.map(scratchedOptics).find((codes) => codes !== undefined)
        add([...positions, ...parts], isNegated ? 'nothing' : (optics ?? mention.condition), { isDenied: isNegated })
        break
      }
      case 'locked':
        add(positions, isNegated ? 'unlocked' : 'locked')
        break
      case 'unlocked':
        add(positions, isNegated ? 'locked' : 'unlocked')
        break
      case 'unread':
      case 'withheld':
        // What is denied may be the fault: 不亮, if no list has 亮.
        add(positions, isNegated && !mention.isUnknown ? 'nothing' : mention.kind, {
          isDenied: isNegated && !mention.isUnknown,
          isUnknown: mention.isUnknown === true,
        })
        break
      case 'assurance':
        add([at], 'nothing', { isDenied: true })
        break
      case 'covering_part':
        // Earbuds "without case".
        if (isCase(at) && isNegated && !isVerbalNegation(negation))
          add(positions, CASE_FAULTS.missing ?? 'nothing', { isOptional: true })
        break
      case 'accessory':
        // "won't dock" names no accessory that is missing.
        if (isNegated) add(positions, isVerbalNegation(negation) ? 'unread' : ['missing_accessories'])
        break
      case 'part':
        // "everything works except the speaker".
        if (clause[next(at, -1)]?.kind === 'exception' && !isCovering(next(at, 1)))
          add([at, next(at, -1)], codesOfPart(mention, 'failing'))
        else if (endsWithVerbalNegation(next(at, 1))) add([at, next(at, 1)], codesOfPart(mention, 'failing'))
        else if (isNegated && DEFECTIVE_IF_ABSENT.has(mention.part)) add(positions, codesOfPart(mention))
        else if (isNegated && UNREAD_IF_ABSENT.has(mention.part) && !isCovering(next(at, 1))) add(positions, 'unread')
        else if (!isNegated && mention.unknownWordTo !== undefined)
          // "display unit": the word may make it a spare part.
          statements.push({ from: mention.from, to: mention.unknownWordTo, means: 'unread', isUnknown: true })
        break
      case 'negation':
        // "can't hear me": no list has what is denied.
        if (mention.unknownWordTo !== undefined && mention.unknownWordTo <= (clause[next(at, 1)]?.from ?? Infinity))
          statements.push({ from: mention.from, to: mention.unknownWordTo, means: 'unread' })
    }
  }
}
