import { ApiError, invalid, unavailable } from '../errors.ts'
import { isRefusal } from '../http/api-error.ts'
import { readJsonBody } from '../http/json-body.ts'
import { queryParameters } from '../http/query.ts'
import { readyAnswer } from '../http/ready.ts'
import type { Page, PageRequest } from '../http/reception.ts'
import { replyOutgoing } from '../http/reply.ts'
import { type Outgoing, withFields } from '../wire/outgoing.ts'
import { exploreRoutes } from './explore/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { type AccountParts, isSecure, tooMany } from './parts.ts'
import { peopleRoutes } from './people/routes.ts'
import type { Access, AccountAnswer, AccountRoute, MemberVisit, Workplace } from './route.ts'
import { comesFromOurPages } from './same-origin.ts'
import { sessionToken } from './session-cookie.ts'
import type { Session } from './session-store.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { usageRoutes } from './usage/routes.ts'

const MOST_BODY_BYTES = 16_384
/** Of one address. A person who clicks fast stays far below it. */
const REQUESTS_PER_MINUTE = 600

/** The dashboard's own API. A session opens it and nothing else does: an API key is not even looked at. */
export function accountPage(parts: AccountParts): Page {
  const routes: readonly AccountRoute[] = [
    ...signInRoutes(parts),
    ...peopleRoutes(parts),
    ...keyRoutes(parts),
    ...usageRoutes(parts),
    ...exploreRoutes(parts),
    ...importRoutes(parts),
  ]
  return {
    path: '/account/*',
    methods: ['GET', 'POST'],
    handle: (page) => serve(parts, routes, page).catch(storeTrouble(parts)),
  }
}

async function serve(parts: AccountParts, routes: readonly AccountRoute[], page: PageRequest): Promise<Outgoing> {
  const route = findRoute(routes, page)
  const knock = parts.mayKnock(page.address(), REQUESTS_PER_MINUTE, page.now)
  if (!knock.allowed) throw tooMany(knock.retryAfterSeconds)
  const ownOrigins = [new URL(parts.baseUrl()).origin, `http://${page.request.headers.get('host')}`]
  if (route.method === 'POST' && !comesFromOurPages(page.request.headers, ownOrigins)) {
    throw new ApiError('FORBIDDEN', 'Changes are taken from our own pages only.')
  }
  const session = await findSession(parts, page)
  const workplace = session ? await workplaceOf(parts, session) : null
  admit(route.access, session, workplace)
  const body = route.body ? readBody(route, await readJsonBody(page.request, page.sender, MOST_BODY_BYTES)) : undefined
  const parameters = queryParameters(page.request.target)
  const visit = {
    request: page.request,
    sender: page.sender,
    path: page.path,
    query: (name: string) => parameters.get(name),
    requestId: page.requestId,
    now: page.now,
    address: page.address(),
    person: session?.person,
    sessionId: session?.id,
    workplace,
  } as MemberVisit
  const answer = await route.handle(visit, body)
  return withFields('fields' in answer ? answer : present(answer, page), {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
}

function findRoute(routes: readonly AccountRoute[], { path, request: { method } }: PageRequest): AccountRoute {
  const here = routes.filter((route) =>
    route.path.endsWith('/*') ? path.startsWith(route.path.slice(0, -1)) : route.path === path,
  )
  if (here.length === 0) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
  const found = here.find((route) => route.method === method || (method === 'HEAD' && route.method === 'GET'))
  if (found) return found
  const allow = here.map((route) => route.method).join(', ')
  throw new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { headers: { Allow: allow } })
}

async function findSession(parts: AccountParts, page: PageRequest): Promise<Session | undefined> {
  const token = sessionToken(page.request.headers.get('cookie'), isSecure(parts))
  return token === undefined ? undefined : parts.accounts.findSession(token, page.now)
}

async function workplaceOf(parts: AccountParts, session: Session): Promise<Workplace | null> {
  const memberships = await parts.accounts.memberships(session.person.id)
  const membership = memberships.find(({ organizationId }) => organizationId === session.organizationId)
  if (!membership) return null
  const [tier, own] = await Promise.all([
    parts.accounts.organizationTier(membership.organizationId),
    parts.accounts.organizationLimit(membership.organizationId),
  ])
  const { public: free, paid, enterprise } = parts.limitsPerMinute
  const limits = { public: own ?? free, paid: own ?? paid, enterprise: own ?? enterprise }
  return { id: membership.organizationId, name: membership.organizationName, role: membership.role, tier, limits }
}

function admit(access: Access, session: Session | undefined, workplace: Workplace | null): void {
  if (access === 'anyone') return
  if (!session) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  if (access === 'person') return
  if (!workplace) throw new ApiError('FORBIDDEN', 'Choose an organization first.')
  if (access === 'owner' && workplace.role !== 'owner') {
    throw new ApiError('FORBIDDEN', 'Only an owner of the organization may do this.')
  }
}

function readBody(route: AccountRoute, sent: unknown): unknown {
  const read = route.body?.safeParse(sent)
  if (!read || read.success) return read?.data
  const issue = read.error.issues[0]
  const field = issue?.path.join('.') || 'body'
  // What was sent is not repeated: it may be a password.
  throw invalid(field, undefined, issue?.message ?? 'something else')
}

/** A store that is away is said to be so; a person who is told "sign in first" would think they were thrown out. */
function storeTrouble(parts: AccountParts): (error: unknown) => never {
  return (error) => {
    if (isRefusal(error) || !parts.isStoreAway(error)) throw error
    throw unavailable('The store cannot be reached right now. Try again shortly.', 2, error)
  }
}

function present(answer: AccountAnswer, page: PageRequest): Outgoing {
  const meta = answer.meta === undefined ? undefined : JSON.stringify(answer.meta)
  const ready = readyAnswer(JSON.stringify(answer.data), meta)
  const reply = { status: 200, answer: ready, headers: answer.headers, isOwn: false }
  return replyOutgoing(reply, page.request.headers, null, null, page.now)
}
