import { afterAll, beforeAll } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { newLink, newOrganization, newPage, openBrowser, PASSWORD, type Watched } from './browser.ts'
import { type RunningProgram, startProgram } from './program.ts'

type Person = {
  readonly email: string
  readonly role?: 'owner' | 'member'
  readonly organizationId?: string
  readonly look?: BrowserContextOptions
}

/** The real program, a real browser and an organization, for all tests of a `describe`. */
export function openDashboard(organizationName: string, environment: () => Promise<Record<string, string>>) {
  let program: RunningProgram
  let browser: Browser
  let organizationId: string
  beforeAll(async () => {
    program = await startProgram({ LOG_LEVEL: 'warn', ...(await environment()) })
    browser = await openBrowser()
    organizationId = await newOrganization(program, organizationName)
  })
  afterAll(async () => {
    await browser.close()
    await program.stop()
  })
  const newPerson = ({ email, role = 'owner', ...person }: Person) =>
    newLink(program, email, person.organizationId ?? organizationId, role)

  return {
    program: () => program,
    organizationId: () => organizationId,
    at: (path: string) => `${program.url}${path}`,
    newPage: (look?: BrowserContextOptions) => newPage(browser, program.url, look),
    /** The one-time link of a new person. */
    newPerson,
    /** A page that has its person's session and is nowhere yet: not every test has to fill in the form again. */
    async signedIn(person: Person): Promise<Watched> {
      const watched = await newPage(browser, program.url, person.look)
      const token = new URL(await newPerson(person)).hash.slice(1)
      const joined = await watched.page.context().request.post(`${program.url}/account/join`, {
        data: { token, name: person.email, password: PASSWORD },
        headers: { Origin: program.url },
      })
      if (!joined.ok()) throw new Error(await joined.text())
      return watched
    },
  }
}
