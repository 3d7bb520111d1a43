import { accountBodies, type SetupWire } from '../contract/account.ts'
import { ApiError } from '../http/api-error.ts'
import { type AccountParts, tooMany } from './parts.ts'
import { hashPassword } from './password.ts'
import { type AccountRoute, changes, reads } from './route.ts'
import { beginSession } from './session-opening.ts'
import { alreadySetUp } from './typed-code.ts'

/** Codes that may be tried from one address. Only a code's own 80 bits keep it from being guessed; this keeps guessing cheap for us. */
const ATTEMPTS_PER_MINUTE = 10

/** The first owner of a service that belongs to nobody yet. */
export function setupRoutes(parts: AccountParts): AccountRoute[] {
  const { accounts } = parts

  return [
    reads('/account/setup', 'anyone', async () => {
      const data: SetupWire = { needed: await accounts.needsSetup() }
      return { data }
    }),

    changes('/account/setup', 'anyone', accountBodies.setup, async (c, { code, password, name, ...chosen }) => {
      const { now } = c.get('facts')
      const decision = parts.takeRequest(`setup:${c.get('address')}`, ATTEMPTS_PER_MINUTE, now)
      if (!decision.allowed) throw tooMany(decision.retryAfterSeconds)
      if (!(await accounts.needsSetup())) throw alreadySetUp()
      if (!(await accounts.isSetupCode(code))) throw wrongCode()
      const owner = { ...chosen, name: name ?? '', passwordHash: await hashPassword(password) }
      const made = await accounts.makeFirstOwner(code, owner, now)
      // The other of two who used it at the same moment.
      if (!made) throw alreadySetUp()
      parts.setUp()
      return beginSession(parts, c, made.person, made.organizationId)
    }),
  ]
}

const wrongCode = () =>
  new ApiError(
    'UNAUTHORIZED',
    'The set-up code is wrong. The service shows it when it starts, and "user setup-code" makes another.',
  )
