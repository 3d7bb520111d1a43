import { Hono } from 'hono'
import { ConnectionError, DeviceIntelligence } from '../../client/src/index.ts'
import type { ManagementDependencies } from '../app/management-api.ts'
import { authStore } from '../auth/auth-store.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { matchPath } from '../contract/path-template.ts'
import type { Database } from '../db/database.ts'
import { isExpectedError, toApiError } from '../http/api-error.ts'
import type { ApiRoute, HttpContext, HttpEnv } from '../http/context.ts'
import { startRequest } from '../http/instrumented-handler.ts'
import { successResponse } from '../http/response.ts'
import { DomainError, invalid, notFound } from '../lib/errors.ts'
import { dayOf } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import type { CommandContext } from './command.ts'
import { CommandError } from './command-error.ts'
import type { ManagementService } from './remote.ts'

/** The longest that timers support. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** Calls the management API on the database of this machine, in this process: without keys, limits and jobs. */
export async function callLocal<Result>(
  openDatabase: () => Promise<Database>,
  organizationId: string | undefined,
  call: (service: ManagementService) => Promise<Result>,
  context: CommandContext,
): Promise<Result> {
  const router = new Hono<HttpEnv>()
  router.all('*', async (c) => serve(await openDatabase(), context, c))
  router.onError((error) => {
    throw error
  })
  const client = new DeviceIntelligence({
    url: 'http://localhost',
    key: 'none',
    fetch: async (request) => router.fetch(request),
    maxRetries: 0,
    timeoutMs: NO_TIMEOUT_MS,
  })
  try {
    return await call({ client, of: organizationId === undefined ? {} : { organization_id: organizationId } })
  } catch (error) {
    // The client takes an error of a handler for a lost connection.
    throw error instanceof ConnectionError ? (error.cause ?? error) : error
  }
}

async function serve(db: Database, context: CommandContext, c: HttpContext): Promise<Response> {
  const { pathname } = new URL(c.req.url)
  const [name = '', id] = pathname
    .replace(/^\/api\/(manage\/)?/, '')
    .split('/')
    .map(decodeURIComponent)
  const subject = SUBJECTS[name]
  if (!subject) throw new Error(`${pathname} is not served on the database`)
  const dependencies = {
    auth: authStore(db),
    limitsPerMinute: context.config.limitsPerMinute,
    principalOf: (c: HttpContext) => c.get('principal'),
  }
  const { routes, organizationOf } = await subject(db, context, dependencies)
  const query = c.req.query()
  if (id !== undefined && organizationOf) query.organization_id ??= await organizationOf(id)
  const { route, params } = findRoute(routes, c.req.method, pathname)
  const { endpoint } = route
  const facts = startRequest(c, endpoint.path)
  if (endpoint.actsForOrganization && !query.organization_id) {
    throw invalid('organization_id', undefined, 'the id of an organization')
  }
  c.set('principal', commandPrincipal(context.actor, query.organization_id ?? ''))
  c.set('query', parseOrThrow(endpoint.query, query, { root: 'query' }))
  if (endpoint.params) c.set('params', parseOrThrow(endpoint.params, params, { root: 'path' }))
  if (endpoint.body) c.set('body', parseOrThrow(endpoint.body.schema, await c.req.json(), { root: 'body' }))
  c.set('principal', commandPrincipal(context.actor, query.organization_id ?? ''))
  try {
    const requestHeaders = c.req.raw.headers
    const options = { facts, requestHeaders, now: facts.now, ignored: null, isCacheable: false }
    return successResponse(await route.handle(c), options)
  } catch (error) {
    if (error instanceof DomainError || !isExpectedError(error)) throw error
    const { code, message } = toApiError(error)
    throw new CommandError(message, 1, error, code.toLowerCase())
  }
}

function findRoute(routes: readonly ApiRoute[], method: string, path: string) {
  for (const route of routes) {
    const params = route.endpoint.method === method && matchPath(route.endpoint.path, path)
    if (params) return { route, params }
  }
  // The command line was given something that cannot be an id.
  throw notFound(`"${path.split('/').slice(4).map(decodeURIComponent).join(' ')}"`)
}

type Subject = {
  readonly routes: readonly ApiRoute[]
  /** Finds the organization of an id, which a command need not name. */
  readonly organizationOf?: (id: string) => Promise<string>
}

/** Handlers by the path after /api/manage. Each loads what it needs, because schemas take long to build. */
const SUBJECTS: Readonly<
  Record<string, (db: Database, context: CommandContext, dependencies: ManagementDependencies) => Promise<Subject>>
> = {
  async organizations(db, context, dependencies) {
    const { organizationRoutes } = await import('../auth/organization-routes.ts')
    const { quotaStore } = await import('../usage/quota-store.ts')
    const { newOrganizationCurrency } = await import('./stored-settings.ts')
    const currencyOfMarket = (market: string | null) => newOrganizationCurrency(db, context, market)
    return {
      routes: organizationRoutes({
        ...dependencies,
        quotas: quotaStore(db),
        currencyOfMarket,
        removeOrganization: () => Promise.reject(new Error('not served on the database')),
      }),
    }
  },

  async keys(_, __, dependencies) {
    const { keyRoutes } = await import('../auth/key-routes.ts')
    const { keyService } = await import('../auth/key-service.ts')
    return {
      routes: keyRoutes(keyService(dependencies.auth)),
      organizationOf: dependencies.auth.organizationOfKey,
    }
  },

  async webhooks(db, { config }) {
    const { webhookRoutes } = await import('../events/webhook-routes.ts')
    const { webhookDeliveryStore } = await import('../events/webhook-delivery-store.ts')
    const { webhookEndpointStore } = await import('../events/webhook-endpoint-store.ts')
    const { openEncryption } = await import('../lib/encryption.ts')
    const encryption = openEncryption(config)
    const webhooks = webhookEndpointStore(db, encryption)
    const routes = webhookRoutes({
      webhooks,
      deliveries: webhookDeliveryStore(db, encryption),
      allowPrivate: config.webhookAllowPrivate,
    })
    return {
      routes,
      organizationOf: webhooks.organizationOfEndpoint,
    }
  },

  async policy(db, context, dependencies) {
    const { outcomeStore } = await import('../appraisal/outcome-store.ts')
    const { policyRoutes } = await import('../appraisal/policy-routes.ts')
    const { policyStore } = await import('../appraisal/policy-store.ts')
    const { receiptDetailsStore } = await import('../appraisal/receipt-details-store.ts')
    const { findExchange } = await import('../currency/exchange.ts')
    const { exchangeRateStore } = await import('../currency/exchange-rate-store.ts')
    const { createRateLookup } = await import('../currency/rate-lookup.ts')
    const { labourRate } = await import('../repairs/repair-market.ts')
    const { defaultMarketOf } = await import('./stored-settings.ts')
    const today = dayOf(context.now())
    const rates = createRateLookup(await exchangeRateStore(db).newest(today))
    const marketOf = async (organizationId: string) =>
      (await dependencies.auth.organizationMarket(organizationId)) ?? defaultMarketOf(db, context)
    const routes = policyRoutes({
      policies: policyStore(db),
      deals: outcomeStore(db),
      receiptDetails: receiptDetailsStore(db),
      rates: {
        exchangeFor: (currency, field) => findExchange(rates, currency, today, field),
        currencies: () => rates.currencies,
      },
      labourOf: async (organizationId) => labourRate(context.config, await marketOf(organizationId)),
    })
    return { routes }
  },

  async usage(db, _, dependencies) {
    const { usageRoutes } = await import('../usage/routes.ts')
    const { quotaStore } = await import('../usage/quota-store.ts')
    const { usageStore } = await import('../usage/usage-store.ts')
    return { routes: usageRoutes({ ...dependencies, usage: usageStore(db), quotas: quotaStore(db) }) }
  },
}
