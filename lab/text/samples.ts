/** Labelled texts as samples of the network: features of tokens, clauses, and what each clause or text states. */
import { DEFECT_CODES, type DefectCode } from '../../src/contract/defect-catalogue.ts'
import { findClauses } from '../../src/text/clauses.ts'
import { featuresOfToken, hashFeature } from '../../src/text/features.ts'
import { DEFECT_COUNT, FIRST_OFFER, LABEL_INDEX, LABELS, type Label, REASONS } from '../../src/text/labels.ts'
import { type Token, tokenize } from '../../src/text/text-tokens.ts'
import { isOffer, type LabelledText, type Mark, targetOf } from './corpus.ts'

export type Piece = {
  readonly text: string
  readonly features: readonly Int32Array[]
  readonly clauses: readonly (readonly [number, number])[]
  readonly states: Float32Array
  readonly isKnown: Float32Array
  /** By clause, for texts with marks. */
  readonly clauseStates: readonly (Float32Array | null)[]
  readonly clauseKnown: readonly (Float32Array | null)[]
  /** Labels of the marks that each token is in; null if the text has no marks. */
  readonly tokenLabels: readonly (readonly number[])[] | null
  /** How many labels, from the first, the marks of the text cover. */
  readonly markedLabels: number
  readonly language: string
  readonly isShort: boolean
  readonly isOffer: boolean
  readonly hasDefect: boolean
  readonly isPlainFault: boolean
}

const MAX_TOKENS = 400
/** Behind the reasons, which go with denials. */
const FIRST_DETAIL = 2 * DEFECT_COUNT + REASONS.length
/** Details that every later writer marked. */
const MARKED_DETAILS: ReadonlySet<number> = new Set(
  (['barred', 'other_fault'] as const).map((label) => LABEL_INDEX.get(label) as number),
)

export function featureHasher(buckets: number, seed: number) {
  const cache = new Map<string, Int32Array>()
  const mask = buckets - 1
  return (tokens: readonly Token[]): Int32Array[] =>
    tokens.map(({ text }, at) => {
      const next = tokens[at + 1]?.text ?? ''
      const key = text.charCodeAt(0) > 0xe00 ? `${text} ${next}` : text
      let features = cache.get(key)
      if (!features) {
        features = Int32Array.from(
          new Set(featuresOfToken(text, next).map((feature) => hashFeature(feature, seed) & mask)),
        )
        if (cache.size < 500_000) cache.set(key, features)
      }
      return features
    })
}
export type Hasher = ReturnType<typeof featureHasher>

/** The clause with most of the words states it; others that have some of them stay open. */
function clauseTargets(
  example: LabelledText,
  tokens: readonly Token[],
  clauses: readonly (readonly [number, number])[],
) {
  const known = clauses.map(() => new Float32Array(LABELS.length).fill(0))
  const states = clauses.map(() => new Float32Array(LABELS.length))
  const areDenialsMarked = /^ads-/.test(example.writer)
  const markedCodes = new Set(example.marks.map(({ code }) => code))
  for (const isKnown of known) {
    isKnown.fill(1, 0, areDenialsMarked ? 2 * DEFECT_COUNT : DEFECT_COUNT)
    for (const code of example.defects) if (!markedCodes.has(code)) isKnown[LABEL_INDEX.get(code) as number] = 0
    for (const code of example.maybe) if (!markedCodes.has(code)) isKnown[LABEL_INDEX.get(code) as number] = 0
    if (!isOffer(example)) isKnown.fill(0, 0, DEFECT_COUNT)
  }
  for (const mark of example.marks) {
    const overlaps = clauses.map(([from, to]) => {
      let letters = 0
      for (let t = from; t < to; t++)
        letters += Math.max(0, Math.min(tokens[t]?.to ?? 0, mark.to) - Math.max(tokens[t]?.from ?? 0, mark.from))
      return letters
    })
    const best = overlaps.indexOf(Math.max(...overlaps))
    const label: Label = mark.says === 'not' ? `~${mark.code}` : mark.code
    const at = LABEL_INDEX.get(label) as number
    overlaps.forEach((letters, c) => {
      if (letters === 0 || (mark.says !== 'not' && !isOffer(example))) return
      if (mark.says === 'doubtful') (known[c] as Float32Array)[at] = 0
      else if (c === best) {
        ;(states[c] as Float32Array)[at] = 1
        ;(known[c] as Float32Array)[at] = 1
        const reason = mark.reason && LABEL_INDEX.get(`reason:${mark.reason}`)
        if (reason) {
          ;(states[c] as Float32Array)[reason] = 1
          ;(known[c] as Float32Array)[reason] = 1
        }
      } else if (!(states[c] as Float32Array)[at]) (known[c] as Float32Array)[at] = 0
    })
  }
  return { states, known }
}

export function toPiece(example: LabelledText, hasher: Hasher): Piece {
  const tokens = tokenize(example.text).slice(0, MAX_TOKENS)
  const clauses = findClauses(tokens).map(({ from, to }) => [from, to] as const)
  const { states, isKnown } = targetOf(example)
  const isMarked = example.marks.length > 0 || /^(ads-|w)/.test(example.writer)
  // Other writers marked faults completely, and what is denied as they liked; the first of them also details.
  const areDenialsMarked = !/^(w|lists)/.test(example.writer)
  const areDetailsMarked = areDenialsMarked || /^w[234]\d$/.test(example.writer)
  for (let l = DEFECT_COUNT; l < FIRST_OFFER; l++) {
    const isMarkedLabel = l < FIRST_DETAIL ? areDenialsMarked : areDetailsMarked || MARKED_DETAILS.has(l)
    if (!states[l] && !isMarkedLabel) isKnown[l] = 0
  }
  // Those who wrote sentences did not look for them.
  if (example.writer === 'sentences') for (const l of MARKED_DETAILS) if (!states[l]) isKnown[l] = 0
  const targets = isMarked && clauses.length > 1 ? clauseTargets(example, tokens, clauses) : null
  const tokenLabels = tokens.map(({ from, to }) =>
    example.marks.flatMap((mark) =>
      mark.from < to && mark.to > from && mark.says !== 'doubtful'
        ? [LABEL_INDEX.get(mark.says === 'not' ? `~${mark.code}` : mark.code) as number]
        : [],
    ),
  )
  const wholeText = statedByWholeText(example, clauses.length)
  const isFullyMarked =
    example.maybe.size === 0 && [...example.defects].every((code) => example.marks.some((mark) => mark.code === code))
  return {
    tokenLabels:
      wholeText !== null
        ? tokens.map(() => [wholeText])
        : isMarked && isFullyMarked && isOffer(example)
          ? tokenLabels
          : null,
    markedLabels: /^ads-/.test(example.writer) ? 2 * DEFECT_COUNT : DEFECT_COUNT,
    text: example.text,
    features: hasher(tokens),
    clauses,
    states,
    isKnown,
    clauseStates: clauses.map((_, c) => targets?.states[c] ?? null),
    clauseKnown: clauses.map((_, c) => targets?.known[c] ?? null),
    language: example.language,
    isShort: example.text.length < 160 && !example.text.includes('\n'),
    isOffer: isOffer(example),
    hasDefect: DEFECT_CODES.some((_, l) => states[l]),
    isPlainFault:
      example.writer === 'plain' ||
      example.writer === 'lists' ||
      (/^w/.test(example.writer) && example.text.length < 80),
  }
}

/** All words of a plain statement belong to it, though nothing is marked. */
function statedByWholeText(example: LabelledText, clauses: number): number | null {
  const { writer, marks, defects, maybe } = example
  const [code, ...others] = defects
  const isPlain = writer === 'plain' || writer === 'lists'
  if (!isPlain || !code || others.length + maybe.size + marks.length > 0 || clauses !== 1) return null
  return LABEL_INDEX.get(code) as number
}

const SEPARATORS = [' ', ' ', ' ', ', ', '. ', ' * ', ' – ', ' • ', '\n- ', '\n']

/** Details of which a text has one. */
const SINGLE_DETAILS = ['battery', 'cycles', 'lock', 'worn', 'grade', 'warranty'] as const

/**
 * Several statements as sellers run them together, often without a sign between them; null where they do not fit together.
 * `separator`: a number from 0 to 1 that chooses the sign.
 */
export function runTogether(texts: readonly LabelledText[], separator: number): LabelledText | null {
  const sign = SEPARATORS[Math.floor(separator * SEPARATORS.length)] as string
  const marks: Mark[] = []
  const stated = new Set<string>()
  const denied = new Set<string>()
  let text = ''
  let line: LabelledText['line'] = { text: '', writer: '' }
  for (const example of texts) {
    const own = { ...example.line }
    if (SINGLE_DETAILS.some((detail) => line[detail] !== undefined && own[detail] !== undefined)) return null
    const isShouted = sign.trim() === '' ? example.text.replace(/[.!,;:]+$/, '') : example.text
    if (text !== '') text += sign
    const whole = statedByWholeText(example, 1)
    const ofExample: readonly Mark[] =
      whole === null
        ? example.marks
        : [{ from: 0, to: isShouted.length, code: LABELS[whole] as DefectCode, says: 'present', reason: null }]
    for (const mark of ofExample) marks.push({ ...mark, from: mark.from + text.length, to: mark.to + text.length })
    text += isShouted
    for (const code of [...example.defects, ...example.maybe]) stated.add(code)
    for (const code of [
      ...Object.keys(own.not ?? {}),
      ...example.marks.filter(({ says }) => says === 'not').map(({ code }) => code),
    ])
      denied.add(code)
    line = {
      ...line,
      ...own,
      not: { ...line.not, ...own.not },
      gone: [...(line.gone ?? []), ...(own.gone ?? [])],
      replaced: [...(line.replaced ?? []), ...(own.replaced ?? [])],
      worn_at: [line.worn_at ?? [], own.worn_at ?? []].flat(),
    }
  }
  if ([...denied].some((code) => stated.has(code))) return null
  const [first] = texts as readonly [LabelledText]
  return {
    language: first.language,
    // Of some writers the details are not complete.
    writer: texts.some(({ writer }) => /^(w|lists)/.test(writer)) ? 'w' : 'sentences',
    text,
    marks,
    kind: 'device',
    defects: new Set(texts.flatMap(({ defects }) => [...defects])),
    maybe: new Set(texts.flatMap(({ maybe }) => [...maybe])),
    battery: line.battery ?? null,
    line,
  }
}

/** The name of a device as a piece that states nothing. */
export function namePiece(name: string, hasher: Hasher): Piece {
  const tokens = tokenize(name)
  return {
    text: name,
    features: hasher(tokens),
    clauses: findClauses(tokens).map(({ from, to }) => [from, to] as const),
    states: new Float32Array(LABELS.length),
    isKnown: new Float32Array(LABELS.length).fill(1),
    clauseStates: [],
    clauseKnown: [],
    tokenLabels: tokens.map(() => []),
    markedLabels: 2 * DEFECT_COUNT,
    language: '',
    isShort: true,
    isOffer: true,
    hasDefect: false,
    isPlainFault: false,
  }
}
