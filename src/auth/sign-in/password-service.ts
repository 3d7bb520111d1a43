/** Argon2id with OWASP's parameters: 19 MiB and two passes. */
const ARGON2_OPTIONS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each hash takes 19 MiB: a flood of sign-ins must not exhaust the memory. */
const MAX_CONCURRENT = 2
let running = 0
const waiting: (() => void)[] = []

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_CONCURRENT) running++
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    // Passes the slot to the next in the queue.
    if (next) next()
    else running--
  }
}

/** Length of the queue; beyond a few dozen it is better to reject. */
export const pendingPasswordChecks = () => waiting.length

export const hashPassword = (password: string) => withHashSlot(() => Bun.password.hash(password, ARGON2_OPTIONS))

let dummyHash: Promise<string> | undefined

/**
 * Verifies a password. For an unknown person, or one without a password, it verifies against a dummy hash, so that timing does
 * not reveal which addresses exist.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  // Awaited in both cases, so that creating the dummy hash does not show in the timing.
  dummyHash ??= hashPassword(crypto.randomUUID())
  const unknownPersonHash = await dummyHash
  const right = await withHashSlot(() => Bun.password.verify(password, hash ?? unknownPersonHash))
  return right && hash !== null
}
