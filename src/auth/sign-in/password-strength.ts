import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'

/** Minimum zxcvbn score (0 to 4); from 3 on a password takes more than a hundred million guesses. */
const MIN_SCORE = 3
/** Limits how long the check blocks the event loop: 64 characters took up to 68 ms, 32 take at most 38 ms. */
const MAX_CHECKED_LENGTH = 32
const PRODUCT_WORDS = ['Device Intelligence', 'device', 'intelligence', 'deviceintelligence']

/** Loaded on first use, not at every start. */
let estimator: Promise<(password: string, words: string[]) => number> | undefined

async function loadEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return (password: string, words: string[]) => zxcvbn.check(password, words).score
}

type PasswordOwner = {
  readonly email: string
  readonly name: string
  readonly organization: string
  readonly now: number
  /** Field of the request, for the error. */
  readonly field?: string
}

/** Whole, without spaces and word by word, as people build passwords from it. */
const partsOf = (text: string) => [text, text.replace(/\s+/g, ''), ...text.split('@'), ...text.split(/[\s@.]+/)]

function withoutWords(password: string, words: readonly string[]): string {
  const longestFirst = words.filter(({ length }) => length >= 3).sort((left, right) => right.length - left.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word.toLowerCase(), ''), password.toLowerCase())
}

/** Rejects common passwords and those made from the names of person, organization and product, the address or the year. */
export async function requireStrongPassword(
  password: string,
  { email, name, organization, now, field = 'password' }: PasswordOwner,
): Promise<void> {
  estimator ??= loadEstimator()
  const score = await estimator
  const year = new Date(now).getUTCFullYear()
  const years = [year - 1, year, year + 1].map(String)
  const words = [...[email, name, organization].flatMap(partsOf), ...PRODUCT_WORDS, ...years].filter(Boolean)
  const checked = password.slice(0, MAX_CHECKED_LENGTH)
  // The rest alone must be strong: zxcvbn counts three words in a row as strong, even if all of them are known.
  if (Math.min(score(checked, words), score(withoutWords(checked, words), words)) >= MIN_SCORE) return
  const message =
    'This password is too easy to guess. Choose one that is not common and not made from names, your address or the year.'
  throw new DomainError('invalid', message, reason('password_weak'), [{ field, message }])
}
