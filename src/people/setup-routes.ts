import type { SetupStatusWire } from '../contract/people.ts'
import { ApiError } from '../http/api-error.ts'
import { COUNTRY_MARKETS, parseMarket } from '../pricing/country-market.ts'
import { type DashboardDependencies, limitAttempts } from './dashboard-dependencies.ts'
import { hashPassword } from './password-service.ts'
import { requireStrongPassword } from './password-strength.ts'
import { alreadySetUpError } from './readable-code.ts'
import { startSession } from './session-lifecycle.ts'
import { type DashboardRoute, dashboardRoute } from './session-route.ts'

/** Attempts per address. The 80 bits of a code already prevent guessing; this limits its cost for the service. */
const ATTEMPTS_PER_MINUTE = 10

/** Creates the first owner of a new service. */
export function setupRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const { people } = parts

  return [
    dashboardRoute('GET /account/setup', async () => {
      const needed = await people.needsSetup()
      const data: SetupStatusWire = {
        needed,
        sends_mail: parts.mail.isConfigured,
        service_market: parts.appraisal.serviceMarket(),
        markets: needed ? COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })) : [],
      }
      return { data }
    }),

    dashboardRoute('POST /account/setup', async (c, { code, password, name, market: requested, ...chosen }) => {
      const { now } = c.get('facts')
      limitAttempts(parts, c, 'setup', ATTEMPTS_PER_MINUTE)
      if (!(await people.needsSetup())) throw alreadySetUpError()
      if (!(await people.isSetupCode(code))) {
        // A concurrent request may have used the code in between.
        throw (await people.needsSetup()) ? wrongSetupCodeError() : alreadySetUpError()
      }
      await requireStrongPassword(password, {
        email: chosen.email,
        name: name ?? '',
        organization: chosen.organization,
        now,
      })
      // The market of the service is not repeated, so that the organization follows it when it changes.
      const chosenMarket = requested ? parseMarket(requested).code : null
      const market = chosenMarket === parts.appraisal.serviceMarket() ? null : chosenMarket
      const currency = parts.currencyOfMarket(market)
      const terms = { market, ...(currency ? { currency } : {}) }
      const owner = { ...chosen, terms, name: name ?? '', passwordHash: await hashPassword(password) }
      const account = await people.makeFirstOwner(code, owner, now)
      // Used by a concurrent request.
      if (!account) throw alreadySetUpError()
      parts.onSetUp()
      return startSession(parts, c, account)
    }),
  ]
}

const wrongSetupCodeError = () =>
  new ApiError('UNAUTHORIZED', 'The set-up code is wrong. The service prints a new one at every start.')
