/** Argon2id at the strength OWASP asks for: 19 MiB and two passes. */
const ARGON2_OPTIONS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Hashing takes 19 MiB each; a flood of sign-ins must not take the machine's memory. */
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
    // Whoever waits takes over this place; it is never free in between.
    if (next) next()
    else running--
  }
}

/** How many sign-ins wait for their turn; beyond a few dozen it is better to refuse than to pile up. */
export const pendingPasswordChecks = () => waiting.length

export const hashPassword = (password: string) => withHashSlot(() => Bun.password.hash(password, ARGON2_OPTIONS))

let dummyHash: Promise<string> | undefined

/**
 * Whether the password is right. For a person who does not exist or has no password the same work is done on a hash
 * that nothing matches, so that the time taken tells nobody which addresses are known.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  // Waited for in either case: the first attempt after a start makes it, and must not take longer for some than for others.
  dummyHash ??= hashPassword(crypto.randomUUID())
  const nobodys = await dummyHash
  const right = await withHashSlot(() => Bun.password.verify(password, hash ?? nobodys))
  return right && hash !== null
}
