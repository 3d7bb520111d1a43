import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, openApp } from '../../src/app.ts'
import { commandLineActor } from '../../src/auth/actor.ts'
import { type FixedLimits, readConfig } from '../../src/config.ts'
import type { Tier } from '../../src/contract/tiers.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { listen } from '../../src/http/server.ts'
import { openLog } from '../../src/lib/log.ts'
import { expectConforms } from './conformance.ts'
import { type CatalogueSize, copyFilled } from './filled-database.ts'
import { freePort } from './postgres.ts'
import { secretKeyFor } from './secret-key.ts'

/** Actor of all changes that tests make directly. */
export const OPERATOR = commandLineActor('tester')

export type TestResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // The response body as a caller sees it; each test asserts what it expects.
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent
  readonly body: any
}

export type TestRequest = {
  readonly tier?: Tier | undefined
  readonly key?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly body?: BodyInit
}

type TestOrganization = { organizationId: string; keys: Record<Tier, string> }

export type TestService = {
  readonly url: string
  readonly app: App
  readonly organizationId: string
  readonly keys: Readonly<Record<Tier, string>>
  /** The log of the service so far. */
  readonly logged: () => string
  /** Sends one request and checks the response against the contract. */
  ask(path: string, request?: TestRequest): Promise<TestResponse>
  /** Another organization with a key of each tier. */
  newOrganization(name?: string): Promise<TestOrganization>
  /** A new Enterprise key with the right to manage, which may buy above the calculated maximum. */
  newBuyer(organizationId: string): Promise<string>
  /** Another organization that has such a key. */
  newShop(name?: string): Promise<TestOrganization & { buyer: string }>
  stop(): Promise<void>
  /** Stops it at the end of the test that holds it with `await using`, also when that test fails. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Query parameters of a PostgreSQL URL override the timeouts of a server, 1.8 seconds: beside other test files on a busy
 * machine a statement may take longer. Tests of the timeouts themselves start the program as its own process.
 */
function withLongTimeouts(url: string): string {
  if (!url) return url
  const databaseUrl = new URL(url)
  for (const name of ['query_timeout', 'statement_timeout']) databaseUrl.searchParams.set(name, '60000')
  return databaseUrl.href
}

/** The whole service in this process, on a real port and a real database; `limits` replace those of the program. */
export async function startService(
  opening: DatabaseOptions,
  environment: Record<string, string> = {},
  limits: Partial<FixedLimits> = {},
): Promise<TestService> {
  const port = await freePort()
  const settings = readConfig({
    DATA_DIR: opening.dataDir,
    DATABASE_URL: withLongTimeouts(opening.url),
    SECRET_KEY: secretKeyFor(opening.url),
    PORT: String(port),
    RATE_LIMIT_PUBLIC: '1000000',
    RATE_LIMIT_PAID: '1000000',
    RATE_LIMIT_ENTERPRISE: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
    ...environment,
  })
  const config = { ...settings, ...limits }
  let lines = ''
  const log = openLog(config.logLevel, {
    write: (more) => {
      lines += more
    },
  })
  const app = await openApp(config, log, {
    ...process.env,
    // Also for the processes that the service starts.
    SECRET_KEY: secretKeyFor(opening.url),
    ...environment,
  })
  const listening = listen(app.router.fetch, { host: config.host, port: config.port }, app.postHandlers)

  async function newOrganization(name = 'Test') {
    const now = Date.now()
    const { id: organizationId } = await app.auth.createOrganization(name, OPERATOR, now)
    const make = async (tier: Tier) =>
      (await app.auth.createKey(organizationId, { tier, name: `${tier} test key`, expiresAt: null }, OPERATOR, now))
        .secret
    return {
      organizationId,
      keys: { public: await make('public'), paid: await make('paid'), enterprise: await make('enterprise') },
    }
  }
  const newBuyer = async (organizationId: string): Promise<string> => {
    const key = { tier: 'enterprise', name: 'buying test key', rights: ['manage'], expiresAt: null } as const
    return (await app.auth.createKey(organizationId, key, OPERATOR, Date.now())).secret
  }
  async function newShop(name?: string) {
    const organization = await newOrganization(name)
    return { ...organization, buyer: await newBuyer(organization.organizationId) }
  }
  async function close(): Promise<void> {
    await listening.stop()
    await app.close()
  }
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= close()
    return closing
  }
  const mine = await newOrganization()

  async function ask(path: string, request: TestRequest = {}): Promise<TestResponse> {
    const headers = new Headers(request.headers)
    const key = request.key ?? (request.tier ? mine.keys[request.tier] : undefined)
    if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
    if (request.json !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    const method = request.method ?? (request.json === undefined && request.body === undefined ? 'GET' : 'POST')
    const response = await fetch(`${listening.url}${path}`, {
      method,
      headers,
      body: request.body ?? (request.json === undefined ? undefined : JSON.stringify(request.json)),
    })
    const text = await response.text()
    const isFile = response.headers.get('Content-Type')?.startsWith('text/csv')
    const body = text === '' ? undefined : isFile ? text : JSON.parse(text)
    if (path.startsWith('/api/')) expectConforms(method, path, response.status, response.headers, body)
    return { status: response.status, headers: response.headers, text, body }
  }

  return {
    url: listening.url,
    app,
    ...mine,
    logged: () => {
      log.flush()
      return lines
    },
    ask,
    newOrganization,
    newBuyer,
    newShop,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The service on a SQLite database of its own, which is deleted when it stops. It has about 30 devices. */
export async function startOnSqlite(
  environment: Record<string, string> = {},
  size: CatalogueSize = 'small',
  limits: Partial<FixedLimits> = {},
): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
  copyFilled(dataDir, size)
  const service = await startService({ url: '', dataDir }, environment, limits)
  async function stop(): Promise<void> {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...service, stop, [Symbol.asyncDispose]: stop }
}
