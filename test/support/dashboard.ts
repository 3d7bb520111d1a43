import { afterAll, beforeAll } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { oneTimeLinkUrl } from '../../src/auth/accounts/one-time-link.ts'
import { authStore } from '../../src/auth/auth-store.ts'
import { commandPrincipal } from '../../src/auth/principals.ts'
import type { MemberRole } from '../../src/contract/account-limits.ts'
import type { Tier } from '../../src/contract/tiers.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { newPage, PASSWORD, reportOnFailure, type Watched } from './browser.ts'
import type { CatalogueSize } from './filled-database.ts'
import { freePort } from './postgres.ts'
import { filledDataDir, type Lifetime, PROGRAM, type RunningProgram, startProgram } from './program.ts'
import { OPERATOR } from './service.ts'
import { storeFeeds } from './stored-entries.ts'

type Person = {
  readonly email: string
  readonly role?: MemberRole
  readonly organizationId?: string
  readonly look?: BrowserContextOptions
}

/** Only a hang reaches it: a busy machine takes its time. */
export const START_LIMIT_MS = 240_000

/** Characters of the program's log that a failing test prints. */
const SHOWN_LOG = 4_000

type Served = { readonly url: string; readonly program: RunningProgram; readonly db: Database }

let shared: Promise<Served> | undefined

/** One program for all files of a worker, which therefore must differ in organizations and email addresses. */
const sharedProgram = (): Promise<Served> => {
  shared ??= startShared()
  return shared
}

async function startShared(): Promise<Served> {
  const dataDir = filledDataDir()
  await storeFeeds({ url: '', dataDir }, [
    { name: 'market', format: 'observations', url: 'http://127.0.0.1:1/prices.csv' },
  ])
  const served = await serve({ DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: 'on' }, 'full', 'worker')
  // Bun kills the processes that a test started when the test times out.
  void served.program.exited.then(() => {
    shared = undefined
  })
  return served
}

async function serve(
  environment: Record<string, string>,
  size: CatalogueSize,
  lifetime: Lifetime = 'file',
): Promise<Served> {
  const dataDir = environment.DATA_DIR ?? filledDataDir(size)
  const PORT = String(await freePort())
  // Browsers allow passkeys on host names only.
  const url = `http://localhost:${PORT}`
  const settings = { DATA_DIR: dataDir, PORT, BASE_URL: url, LOG_LEVEL: 'warn', ...environment }
  const program = await startProgram(settings, [PROGRAM], lifetime)
  const forget = reportOnFailure(() => console.error(program.stderr().slice(-SHOWN_LOG)))
  void program.exited.then(forget)
  return { url, program, db: await openDatabase({ url: '', dataDir }) }
}

/**
 * The real program and an organization for all tests of a `describe`. Tests that set the program up in another way, or that
 * change what all organizations see, give an `environment` and get a program of their own, with the small catalogue unless they
 * ask for the full one. The database is SQLite: pages do not depend on it.
 */
export function openDashboard(
  organizationName: string,
  environment?: Record<string, string>,
  size: CatalogueSize = 'small',
) {
  let served: Served
  let organizationId: string
  const access = () => authStore(served.db)
  const newOrganization = async (name: string) => (await access().createOrganization(name, OPERATOR, Date.now())).id

  beforeAll(async () => {
    served = environment ? await serve(environment, size) : await sharedProgram()
    organizationId = await newOrganization(organizationName)
  }, START_LIMIT_MS)
  afterAll(async () => {
    if (!environment) return
    await served?.db.close()
    await served?.program.stop()
  }, START_LIMIT_MS)

  async function newPerson({ email, role = 'owner', organizationId: elsewhere }: Person): Promise<string> {
    const person = { email, role }
    const joining = elsewhere ?? organizationId
    const principal = commandPrincipal(OPERATOR, joining)
    const { token } = await accountsStore(served.db).invite(principal, joining, person, Date.now())
    return oneTimeLinkUrl(served.url, token)
  }

  return {
    db: () => served.db,
    organizationId: () => organizationId,
    at: (path: string) => `${served.url}${path}`,
    newPage: (look?: BrowserContextOptions) => newPage(served.url, look),
    newOrganization,
    async newKey(tier: Tier, owner = organizationId): Promise<string> {
      const key = { tier, name: `${tier} key`, expiresAt: null }
      return (await access().createKey(owner, key, OPERATOR, Date.now())).secret
    },
    /** The one-time link of a new person. */
    newPerson,
    /** A new page with the session of a new person; it has loaded nothing yet. */
    async signedIn(person: Person): Promise<Watched> {
      const watched = await newPage(served.url, person.look)
      const token = new URL(await newPerson(person)).hash.slice(1)
      const joined = await watched.page.context().request.post(`${served.url}/account/link/use`, {
        data: { token, name: person.email, password: PASSWORD },
        headers: { Origin: served.url },
      })
      if (!joined.ok()) throw new Error(await joined.text())
      return watched
    },
  }
}
