import { test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { waitUntil } from './wait.ts'

/** The whole browser: only it can install apps. */
export const WHOLE_CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** The headless shell needs 40 % less CPU time than the whole browser in headless mode. */
const CHROMIUM = process.env.CHROMIUM ?? Bun.which('chromium-headless-shell') ?? WHOLE_CHROMIUM
const AXE = join(import.meta.dir, '../../node_modules/axe-core/axe.min.js')
const axe = Bun.file(AXE).text()
const TALLEST_SCREENSHOT = 4_000
const ARTIFACTS = join(import.meta.dir, '../../artifacts/browser')
/** Long enough for a busy machine: only a hang reaches these limits. */
const STEP_LIMIT_MS = 120_000
const TEST_LIMIT_MS = 600_000

export const hasChromium = existsSync(CHROMIUM)
export const hasWholeChromium = existsSync(WHOLE_CHROMIUM)
if (!hasChromium || !hasWholeChromium) {
  if (process.env.CI === 'true') throw new Error('Chromium is missing, and with CI=true no test may be skipped.')
  console.warn(`No Chromium at ${hasChromium ? WHOLE_CHROMIUM : CHROMIUM}: its browser tests are skipped.`)
}

export const PASSWORD = 'correct horse battery'

const launched = new Map<string, Promise<Browser>>()

/** One Chromium for all files of a worker. It exits when the worker does, because that closes the pipe between them. */
async function sharedBrowser(executablePath: string): Promise<Browser> {
  const browser = await launched.get(executablePath)
  if (browser?.isConnected()) return browser
  const launching = chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  launched.set(executablePath, launching)
  return launching
}

const openContexts = new Set<BrowserContext>()

/** A browser test. When it fails it keeps a screenshot of every open page; it closes all pages either way. */
export function browserTest(name: string, run: () => Promise<void>): void {
  const attempt = async () => {
    try {
      await run()
    } catch (error) {
      await keepFailure(name)
      throw error
    } finally {
      for (const context of openContexts) await context.close()
      openContexts.clear()
    }
  }
  test(name, attempt, TEST_LIMIT_MS)
}

/** Callbacks that print diagnostics of a failure, such as the log of the program. */
const onFailure = new Set<() => void>()
export function reportOnFailure(report: () => void): () => void {
  onFailure.add(report)
  return () => onFailure.delete(report)
}

async function keepFailure(name: string): Promise<void> {
  for (const report of onFailure) report()
  mkdirSync(ARTIFACTS, { recursive: true })
  const pages = [...openContexts].flatMap((context) => context.pages())
  const fileName = `failed ${name}`.replace(/\W+/g, '-')
  for (const [index, page] of pages.entries()) {
    const path = join(ARTIFACTS, `${fileName}-${index + 1}.png`)
    // A page that crashed must not hide the error of the test.
    const result = await page.screenshot({ path }).catch((error: Error) => error)
    console.error(result instanceof Error ? `No screenshot of ${page.url()}: ${result.message}` : `Screenshot: ${path}`)
  }
}

export type Watched = {
  readonly page: Page
  /** Forbidden on every page: requests to other hosts, blocked content, thrown errors, dialogs. */
  readonly offences: string[]
}

export async function newPage(
  base: string,
  options: BrowserContextOptions = {},
  executablePath = CHROMIUM,
): Promise<Watched> {
  const browser = await sharedBrowser(executablePath)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    ...options,
  })
  openContexts.add(context)
  context.setDefaultTimeout(STEP_LIMIT_MS)
  const page = await context.newPage()
  const offences: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(base) && !url.startsWith('data:')) offences.push(`request to another host: ${url}`)
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

/** Waits until a field has this value; `inputValue` does not wait. */
export const hasValue = (field: Locator, value: string) =>
  waitUntil(async () => (await field.inputValue()) === value, { describe: `the value ${value} in ${field}` })

/** Waits until that many elements match; `count` does not wait. */
export const hasCount = (elements: Locator, count: number) =>
  waitUntil(async () => (await elements.count()) === count, { describe: `${count} of ${elements}` })

export const hasFocus = (element: Locator) => element.and(element.page().locator(':focus')).waitFor()

/**
 * Goes to a page of the open dashboard as a link does, for a quarter of the CPU time of loading all scripts again. Resolves
 * when the headings of the page before are gone.
 */
export async function follow(page: Page, url: string): Promise<void> {
  await page.evaluate((to) => {
    const left = new URL(to).pathname === location.pathname ? [] : document.querySelectorAll('main h1, main h2')
    for (const heading of left) heading.setAttribute('data-left', '')
    history.pushState(null, '', to)
  }, url)
  await page.waitForFunction(() => !document.querySelector('[data-left]'))
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
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await axe)
  const violations = await page.evaluate(async (only) => {
    type Result = { violations: { impact: string; id: string; nodes: { html: string }[] }[] }
    type Options = { resultTypes: string[]; preload: object; runOnly?: string[] }
    const { axe } = window as unknown as { axe: { run: (options: Options) => Promise<Result> } }
    const options = {
      // Only violations are collected in full.
      resultTypes: ['violations'],
      // Parsing all style rules takes a third of a run, and only an experimental rule, which is off, reads them.
      preload: { assets: ['media'] },
      ...(only.length > 0 ? { runOnly: only } : {}),
    }
    return (await axe.run(options)).violations.map(({ impact, id, nodes }) => ({
      impact,
      id,
      html: nodes[0]?.html ?? '',
    }))
  }, rules as string[])
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ impact, id, html }) => `${impact} ${id}: ${html.slice(0, 160)}`)
}

/** The rules whose result depends on the colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Where a page is used. At a desk it is examined in light colours; on a phone in both, and also as it is at a desk. */
export type View = 'desk' | 'phone'
export const WIDTHS = { desk: 1440, phone: 390 } as const satisfies Record<View, number>

/** Accessibility problems, sideways overflow and small touch targets of a page that is open in the width of the view. */
export async function looksWrong(page: Page, name: string, view: View): Promise<string[]> {
  return view === 'desk' ? wrongAtDesk(page) : wrongOnPhone(page, name)
}

async function wrongAtDesk(page: Page): Promise<string[]> {
  await settled(page)
  const problems = [...(await seriousProblems(page)), ...(await overflow(page))]
  await resize(page, 'phone')
  problems.push(...(await overflow(page)), ...(await smallTargets(page)))
  await resize(page, 'desk')
  return problems
}

/** All rules in dark on a phone and in light at a desk, the colour rules in the rest. */
async function wrongOnPhone(page: Page, name: string): Promise<string[]> {
  const problems = [
    ...(await wrongIn(page, name, 'phone', 'dark')),
    ...(await wrongIn(page, name, 'phone', 'light', COLOUR_RULES)),
    ...(await wrongIn(page, name, 'desk', 'dark', COLOUR_RULES)),
    ...(await wrongIn(page, name, 'desk', 'light')),
  ]
  await resize(page, 'phone')
  return problems
}

/** The problems of a page in one width and one colour scheme; without `rules` all rules are applied. */
export async function wrongIn(
  page: Page,
  name: string,
  view: View,
  scheme: 'light' | 'dark',
  rules: readonly string[] = [],
): Promise<string[]> {
  await resize(page, view)
  await page.emulateMedia({ colorScheme: scheme })
  await settled(page)
  await keepScreenshot(page, `${name}-${WIDTHS[view]}-${scheme}`)
  const problems = [...(await seriousProblems(page, rules)), ...(await overflow(page))]
  if (view === 'phone') problems.push(...(await smallTargets(page)))
  return problems.map((problem) => `at ${WIDTHS[view]} px in ${scheme}: ${problem}`)
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') &&
      !document.querySelector('.loading, .is-stale') &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy'),
  )
}

const resize = (page: Page, view: View) => page.setViewportSize({ width: WIDTHS[view], height: 900 })

/** Charts follow a new width with a delay. */
const OVERFLOW_LIMIT_MS = 10_000

/** Elements wider than the window: the page itself, and on a phone a table that should have become cards. */
export async function overflow(page: Page): Promise<string[]> {
  let problems: string[] = []
  const fits = async () => {
    problems = await overflowNow(page)
    return problems.length === 0
  }
  await waitUntil(fits, { describe: 'the page to fit', limitMs: OVERFLOW_LIMIT_MS }).catch(() => {})
  return problems
}

/** A finger needs this many pixels in both directions. */
const TOUCH_TARGET = 44

/**
 * What can be touched in a narrow window and is too small for a finger. A label counts for its box, and a link within a
 * sentence is as high as its line. The API reference is not counted: it is text for developers.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((target) => {
    if (location.pathname === '/docs') return []
    const touchable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option]'
    const isWithinSentence = (element: Element) =>
      element.matches('p a, li a, .banner a') &&
      (element.parentElement?.textContent ?? '').trim() !== element.textContent?.trim()
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden, .skip, :disabled')
    const sides = (element: Element) => {
      const labels =
        element.matches('[type=checkbox], [type=radio], [type=file]') && (element as HTMLInputElement).labels
      const boxes = [element, ...(labels || [])].map((each) => each.getBoundingClientRect())
      // Rounded, because lines of text have fractions of a pixel.
      return (['width', 'height'] as const).map((side) => Math.round(Math.max(...boxes.map((box) => box[side]))))
    }
    return [...document.querySelectorAll(touchable)].flatMap((element) => {
      const [width = 0, height = 0] = sides(element)
      if (!isShown(element) || isWithinSentence(element) || width === 0 || Math.min(width, height) >= target) return []
      return [`${width} × ${height} px is too small to touch: ${element.outerHTML.slice(0, 160)}`]
    })
  }, TOUCH_TARGET)

const overflowNow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const beyond = document.documentElement.scrollWidth - window.innerWidth
    const tables = window.innerWidth < 400 ? [...document.querySelectorAll('.scroll')] : []
    return [
      ...(beyond > 0 ? [`overflows by ${beyond} px`] : []),
      ...tables
        .filter((wrapper) => wrapper.scrollWidth > wrapper.clientWidth + 1)
        .map((wrapper) => `${wrapper.getAttribute('aria-label')} scrolls sideways`),
    ]
  })

/** With SCREENSHOTS=1 saves a screenshot for review, cropped in height to be fast. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return
  mkdirSync(ARTIFACTS, { recursive: true })
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }))
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST_SCREENSHOT) }
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`), fullPage: true, clip })
}
