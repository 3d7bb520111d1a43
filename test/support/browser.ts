import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type RunningProgram, runProgram } from './program.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const AXE = join(import.meta.dir, '../../node_modules/axe-core/axe.min.js')
const axe = Bun.file(AXE).text()
const TALLEST_SCREENSHOT = 4_000
const ARTIFACTS = join(import.meta.dir, '../../artifacts/browser')

export const hasChromium = existsSync(CHROMIUM)
if (!hasChromium) {
  if (process.env.CI === 'true') throw new Error('Chromium is missing, and with CI=true nothing may be left out.')
  console.warn(`No Chromium at ${CHROMIUM}: the browser tests are left out.`)
}

export const PASSWORD = 'correct horse battery'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })

export type Watched = {
  readonly page: Page
  /** What must never happen on any page: requests to other hosts, blocked content, thrown errors, dialogs. */
  readonly offences: string[]
}

export async function newPage(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options })
  const page = await context.newPage()
  const offences: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !url.startsWith('data:')) offences.push(`asked another host: ${url}`)
  })
  page.on('pageerror', (error) => offences.push(`threw: ${error.message}`))
  page.on('dialog', (dialog) => {
    offences.push(`opened a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) offences.push(message.text())
  })
  return { page, offences }
}

/** Makes an organization on the command line of the running program. */
export async function newOrganization(program: RunningProgram, name: string): Promise<string> {
  const made = await runProgram(['org', 'create', name], program.environment)
  if (made.code !== 0) throw new Error(made.stderr)
  return made.stdout.trim()
}

export async function newLink(program: RunningProgram, email: string, organization: string, role: string) {
  const args = ['user', 'create', '--email', email, '--org', organization, '--role', role]
  const made = await runProgram(args, { ...program.environment, BASE_URL: program.url })
  if (made.code !== 0) throw new Error(made.stderr)
  return made.stdout.trim()
}

/** Opens a one-time link and chooses a password, as a person does. */
export async function joinByLink(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Choose a password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  // The navigation is behind a button on a phone; the heading of the page is always there.
  await page.waitForURL((url) => url.pathname === '/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

export async function seriousProblems(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(await axe)
  const found = await page.evaluate(async (only) => {
    type Result = { violations: { impact: string; id: string; nodes: { html: string }[] }[] }
    type Axe = { run: (options: { resultTypes: string[]; runOnly?: string[] }) => Promise<Result> }
    const { axe } = window as unknown as { axe: Axe }
    // What passed is not gathered in full.
    const options = { resultTypes: ['violations'], ...(only.length > 0 ? { runOnly: only } : {}) }
    return (await axe.run(options)).violations.map(({ impact, id, nodes }) => ({
      impact,
      id,
      html: nodes[0]?.html ?? '',
    }))
  }, rules as string[])
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ impact, id, html }) => `${impact} ${id}: ${html.slice(0, 160)}`)
}

/** The rules whose answer depends on the colours. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

export type Scheme = 'light' | 'dark'

/**
 * Whether anybody is shut out or anything overflows, in light and in dark; the pictures are kept. Everything is
 * examined in the first, and in the second what the colours can change.
 */
export async function looksWrong(
  page: Page,
  name: string,
  schemes: readonly Scheme[] = ['light', 'dark'],
): Promise<string[]> {
  await page.waitForFunction(
    () =>
      !document.querySelector('.loading, .fading') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  )
  const width = page.viewportSize()?.width
  const problems: string[] = []
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme })
    await keepScreenshot(page, `${name}-${width}-${scheme}`)
    const found = await seriousProblems(page, scheme === schemes[0] ? [] : RULES_OF_COLOUR)
    problems.push(...found.map((problem) => `in ${scheme}: ${problem}`))
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  if (overflow > 0) problems.push(`overflows by ${overflow} px`)
  return problems
}

/** The page as it looks, down to where a person would stop scrolling: the whole reference takes seconds to draw. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(ARTIFACTS, { recursive: true })
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }))
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST_SCREENSHOT) }
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: true, clip })
}
