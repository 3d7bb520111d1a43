import { DomainError } from '../lib/errors.ts'

/** Minimum zxcvbn score (0 to 4); below 2 a password falls within a million guesses. */
const MIN_SCORE = 2
/** Limits how long the check blocks the event loop: 64 characters took up to 68 ms, 32 take at most 38 ms. */
const MAX_CHECKED_LENGTH = 32

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

/** Rejects common passwords and those made from the person's email address or the names of their organizations. */
export async function requireStrongPassword(
  password: string,
  { email, organizations, field = 'password' }: { email: string; organizations: readonly string[]; field?: string },
): Promise<void> {
  estimator ??= loadEstimator()
  const score = await estimator
  const names = organizations.flatMap((name) => [name, name.replace(/\s+/g, '')])
  if (score(password.slice(0, MAX_CHECKED_LENGTH), [email, ...email.split('@'), ...names]) >= MIN_SCORE) return
  const message = 'This password is too easy to guess. Choose one that is not common and not made from your names.'
  throw new DomainError('invalid', message, [{ field, message }])
}
