import { ApiError } from '../../http/api-error.ts'
import { reason } from '../../lib/reasons.ts'
import { parseMarket } from '../../pricing/country-market.ts'
import type { AccountDependencies } from '../sign-in/account-dependencies.ts'
import { type AccountRoute, accountRoute } from '../sign-in/account-route.ts'
import { limitAttempts } from '../sign-in/attempt-limit.ts'
import { hashPassword } from '../sign-in/password-service.ts'
import { requireStrongPassword } from '../sign-in/password-strength.ts'
import { startSession } from '../sign-in/session-lifecycle.ts'
import { alreadySetUpError } from './readable-code.ts'

/** Attempts per address. The 80 bits of a code already prevent guessing; this limits its cost for the service. */
const ATTEMPTS_PER_MINUTE = 10

/** Creates the first owner of a new service. */
export function setupRoutes(parts: AccountDependencies): AccountRoute[] {
  const { accounts } = parts

  return [
    accountRoute('POST /account/setup', async ({ c, now, body }) => {
      const { code, password, name, market: requested, ...chosen } = body
      limitAttempts(parts, c, 'setup', ATTEMPTS_PER_MINUTE)
      if (!(await accounts.needsSetup())) throw alreadySetUpError()
      if (!(await accounts.isSetupCode(code))) {
        // A concurrent request may have used the code in between.
        throw (await accounts.needsSetup()) ? wrongSetupCodeError() : alreadySetUpError()
      }
      await requireStrongPassword(password, {
        email: chosen.email,
        name: name ?? '',
        organization: chosen.organization,
        now,
      })
      // The market of the service is not repeated, so that the organization follows it when it changes.
      const chosenMarket = requested ? parseMarket(requested).code : null
      const market = chosenMarket === parts.serviceMarket() ? null : chosenMarket
      const currency = parts.currencyOfMarket(market)
      const terms = { market, ...(currency ? { currency } : {}) }
      const owner = { ...chosen, terms, name: name ?? '', passwordHash: await hashPassword(password) }
      const account = await accounts.makeFirstOwner(code, owner, now)
      // Used by a concurrent request.
      if (!account) throw alreadySetUpError()
      parts.onSetUp()
      return startSession(parts, c, account)
    }),
  ]
}

const wrongSetupCodeError = () =>
  new ApiError(
    'UNAUTHORIZED',
    'The set-up code is wrong. The service prints a new one at every start.',
    reason('setup_code_wrong'),
  )
