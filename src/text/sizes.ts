/** Storage sizes that a text states. */
import lexicon from '../../data/text/lexicon.json' with { type: 'json' }
import { once } from '../lib/memoize.ts'
import { phraseFinder } from './phrases.ts'
import { isNumber, type Token, tokenize } from './text-tokens.ts'

const finders = once(() => ({
  gigabytes: phraseFinder(lexicon.gigabytes),
  terabytes: phraseFinder(lexicon.terabytes),
  memory: phraseFinder(lexicon.memory),
}))

const MIN_GIGABYTES = 16
const MAX_TERABYTES = 8

/** Such as `128GB`, without memory ("8GB RAM"), each once. */
export function storageSizes(text: string): string[] {
  if (!/\p{Nd}/u.test(text)) return []
  const { gigabytes, terabytes, memory } = finders()
  const tokens = tokenize(text)
  const sizes = new Set<string>()
  for (let at = 0; at < tokens.length; at++) {
    const { text: digits } = tokens[at] as Token
    if (!isNumber(digits) || digits.length > 4 || isFraction(tokens, at)) continue
    const size = Number(digits)
    const isTerabytes = terabytes(tokens, at + 1) > 0
    const unitLength = isTerabytes ? terabytes(tokens, at + 1) : gigabytes(tokens, at + 1)
    if (unitLength === 0) continue
    const behind = tokens[at + 1 + unitLength]
    const next = behind?.text === '(' ? at + 2 + unitLength : at + 1 + unitLength
    const before = tokens[at - 1]?.text === ':' ? at - 2 : at - 1
    // "8GB RAM 256GB": the memory is the size before.
    const isMemoryBefore = memory(tokens, before) > 0 && gigabytes(tokens, before - 1) === 0
    if (isMemoryBefore || memory(tokens, next) > 0) continue
    const isStorage = isTerabytes ? size <= MAX_TERABYTES : size >= MIN_GIGABYTES && Number.isInteger(Math.log2(size))
    if (isStorage) sizes.add(`${size}${isTerabytes ? 'TB' : 'GB'}`)
  }
  return [...sizes]
}

/** The digits behind a letter, a dot or a comma belong to something else: "A128", "5.128". */
function isFraction(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  return (
    before?.to === tokens[at]?.from &&
    (before?.text === '.' || before?.text === ',' || /^\p{L}/u.test(before?.text ?? ''))
  )
}

const WHOLE_SIZE =
  /^(\d{1,5}(?:[.,]\d{1,3})?)\s*(?:(mb|mo|мб)|(tb|to|тб|테라)|gb|go|gig|гб|기가)?(?:\s*(?:ssd|hdd|nvme|emmc|ufs|rom))?$/i

/** "256GB", "256 Go", "256 GB SSD" and "0.25 TB" are 256; undefined amounts are null. */
export function gigabytesFromText(text: string): number | null {
  const [, digits, megabytes, terabytes] = WHOLE_SIZE.exec(text.trim()) ?? []
  if (digits === undefined) return null
  const amount = Number(digits.replace(',', '.'))
  return terabytes ? amount * 1024 : megabytes ? amount / 1024 : amount
}
