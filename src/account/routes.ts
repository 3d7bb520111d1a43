import { ApiError } from '../http/api-error.ts'
import type { HttpContext } from '../http/context.ts'
import { readJsonBody } from '../http/json-body.ts'
import { answerResponse } from '../http/response.ts'
import type { SiteRoute } from '../http/router.ts'
import { readAs } from '../read-as.ts'
import { appraisalRoutes } from './appraisal-routes.ts'
import { exploreRoutes } from './explore-routes.ts'
import { hasFactor } from './factor.ts'
import { importRoutes } from './import-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { type AccountParts, isSecure, tooMany } from './parts.ts'
import { personRoutes } from './person-routes.ts'
import { policyRoutes } from './policy-routes.ts'
import type { Access, AccountContext, AccountRoute, CurrentOrganization } from './route.ts'
import { comesFromOurPages } from './same-origin.ts'
import { secondSignInRoutes } from './second-sign-in-routes.ts'
import { sessionToken } from './session-cookie.ts'
import type { Session } from './session-store.ts'
import { setupRoutes } from './setup-routes.ts'
import { shareRoutes } from './share-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { uploadRoutes } from './upload-routes.ts'
import { usageRoutes } from './usage-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

const MOST_BODY_BYTES = 16_384
/** Of one address. A person who clicks fast stays far below it. */
const REQUESTS_PER_MINUTE = 600

/** The dashboard's own API. A session opens it and nothing else does: an API key is not even looked at. */
export function accountRoutes(parts: AccountParts): SiteRoute[] {
  const routes: readonly AccountRoute[] = [
    ...setupRoutes(parts),
    ...signInRoutes(parts),
    ...secondSignInRoutes(parts),
    ...personRoutes(parts),
    ...memberRoutes(parts),
    ...keyRoutes(parts),
    ...webhookRoutes(parts),
    ...usageRoutes(parts),
    ...exploreRoutes(parts),
    ...appraisalRoutes(parts),
    ...shareRoutes(parts),
    ...policyRoutes(parts),
    ...importRoutes(parts),
    ...uploadRoutes(parts),
    ...overviewRoutes(parts),
  ]
  return routes.map((route) => ({
    method: route.method,
    path: route.path,
    handle: (c) => serve(parts, route, c).catch(parts.storeTrouble),
  }))
}

async function serve(parts: AccountParts, route: AccountRoute, c: HttpContext): Promise<Response> {
  const facts = c.get('facts')
  const account = c as AccountContext
  account.set('address', parts.addressOf(c))
  const decision = parts.takeRequest(account.get('address'), REQUESTS_PER_MINUTE, facts.now)
  if (!decision.allowed) throw tooMany(decision.retryAfterSeconds)
  const sent = c.req.raw.headers
  const ownOrigins = [new URL(parts.baseUrl()).origin, `http://${sent.get('host')}`]
  if (route.method === 'POST' && !comesFromOurPages(sent, ownOrigins)) {
    throw new ApiError('FORBIDDEN', 'Changes are taken from our own pages only.')
  }
  await admit(parts, route.access, account)
  const body = route.body
    ? readAs(route.body, await readJsonBody(c.req.raw, MOST_BODY_BYTES), { whole: 'body', isSecret: true })
    : undefined
  const answer = await route.handle(account, body)
  const response =
    answer instanceof Response
      ? answer
      : answerResponse(answer, { facts, sent, now: facts.now, ignored: null, isCacheable: true })
  response.headers.set('Cache-Control', 'no-store')
  return response
}

/** Finds the session and its organization, and holds them against what the route asks for. */
async function admit(parts: AccountParts, access: Access, c: AccountContext): Promise<void> {
  const token = sessionToken(c, isSecure(parts))
  const session = token === undefined ? undefined : await parts.accounts.findSession(token, c.get('facts').now)
  const organization = session ? await organizationOf(parts, session) : null
  if (session) {
    c.set('person', session.person)
    c.set('sessionId', session.id)
  }
  if (organization) c.set('organization', organization)
  if (access === 'anyone') return
  if (!session) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  if (access === 'person') return
  if (!organization) throw new ApiError('FORBIDDEN', 'Choose an organization first.')
  if (organization.needsSecondFactor && !hasFactor(await parts.accounts.factorsOf(session.person.id))) {
    throw new ApiError('FORBIDDEN', 'Your organization asks for a second factor. Add one to your account first.')
  }
  if (access === 'owner' && organization.role !== 'owner') {
    throw new ApiError('FORBIDDEN', 'Only an owner of the organization may do this.')
  }
}

async function organizationOf(parts: AccountParts, session: Session): Promise<CurrentOrganization | null> {
  const memberships = await parts.accounts.memberships(session.person.id)
  const membership = memberships.find(({ organizationId }) => organizationId === session.organizationId)
  if (!membership) return null
  const [tier, own] = await Promise.all([
    parts.accounts.organizationTier(membership.organizationId),
    parts.accounts.organizationLimit(membership.organizationId),
  ])
  const { public: free, paid, enterprise } = parts.limitsPerMinute
  const limits = { public: own ?? free, paid: own ?? paid, enterprise: own ?? enterprise }
  const { organizationId: id, organizationName: name, role, needsSecondFactor } = membership
  return { id, name, role, tier, limits, needsSecondFactor }
}
