/**
 * `bin/bun scripts/screenshots.ts`: takes the pictures of the README from the running program, light and dark, and the
 * animation of a purchase: scan, offer, receipt.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { newDataDir, startProgram } from '../test/support/program.ts'
import { animatedPng, type Frame } from './screenshots/animated-png.ts'
import { importShopData, recordDeals, SCANNED_IMEI } from './screenshots/shop-data.ts'

const FOLDER = join(import.meta.dir, '../docs/images')
const MAX_BYTES = 200_000
const MAX_ANIMATION_BYTES = 2_000_000
/** Long, for a busy machine. */
const TIMEOUT_MS = 180_000
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

mkdirSync(FOLDER, { recursive: true })
const dataDir = newDataDir()
const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', SAMPLE_DATA: 'off' }
const program = await startProgram(environment)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await signedIn(browser)
  await importShopData(dataDir, program.environment, Date.now())
  await recordDeals((method, path, body) => call(page.context(), method, path, body), Date.now())
  await page.goto(`${program.url}/dashboard/reports`)
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  await picture(page, 'reports', DESK)
  await page.goto(`${program.url}/dashboard/stock`)
  await page.getByRole('row').nth(2).waitFor()
  await picture(page, 'stock', DESK)
  await openOffer(page)
  await picture(page, 'counter', DESK)
  await tradeInOffer(browser, page.context())
  await animation(browser, page.context())
} finally {
  await browser.close()
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
// Timers of the browser's driver would keep the process until the longest timeout is over.
process.exit(0)

function checkSize(path: string, maxBytes: number): void {
  const { size } = statSync(path)
  console.log(`${path}: ${Math.round(size / 1_000)} kB`)
  if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`)
}

/** Every amount belongs to what is chosen. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.is-stale') === null)
}

async function picture(page: Page, name: string, size: typeof DESK): Promise<void> {
  await page.setViewportSize(size)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForLoadState('networkidle')
    await settled(page)
    const path = join(FOLDER, `${name}-${colorScheme}.jpg`)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.screenshot({ path, type: 'jpeg', quality: 86 })
    checkSize(path, MAX_BYTES)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

async function signedIn(from: Browser): Promise<Page> {
  const page = await from.newPage({ deviceScaleFactor: 1, reducedMotion: 'reduce' })
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.goto(`${program.url}/dashboard`)
  await page.getByLabel('Setup code').fill(readFileSync(join(dataDir, 'setup-code.txt'), 'utf8').trim())
  await page.getByLabel('Organization').fill('Corner shop')
  await page.getByLabel('Your name').fill('Ada Example')
  await page.getByLabel('Email').fill('owner@shop.example')
  await page.getByLabel('Password').fill('a long walk by the sea')
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await page.getByRole('combobox', { name: 'Find a device' }).waitFor()
  return page
}

async function call(context: BrowserContext, method: string, path: string, data?: object): Promise<unknown> {
  const headers = { Origin: program.url, 'X-Requested-With': 'dashboard' }
  const response = await context.request.fetch(program.url + path, { method, headers, ...(data ? { data } : {}) })
  const text = await response.text()
  if (!response.ok()) throw new Error(`${path}: ${text}`)
  return JSON.parse(text).data
}

async function openOffer(page: Page): Promise<void> {
  await page.goto(`${program.url}/dashboard/counter`)
  await page.getByRole('combobox', { name: 'Find a device' }).fill('iphone 15 pro 256gb blue titanium')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /Good/ }).check()
  await page.getByRole('complementary', { name: 'Offer' }).locator('.offer-amount').waitFor()
}

/** What a customer at home sees of the trade-in page: the price. */
async function tradeInOffer(from: Browser, owner: BrowserContext): Promise<void> {
  const tradeIn = { enabled: true, slug: 'corner-shop', max_price: 10_000_000 }
  await call(owner, 'PATCH', '/api/manage/settings', { trade_in: tradeIn })
  const page = await from.newPage({ viewport: PHONE, deviceScaleFactor: 1, locale: 'en-GB' })
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.goto(`${program.url}/sell/corner-shop`)
  await page.locator('#q').pressSequentially('iphone 15 pro')
  await page.locator('#devices a[href*="d=apple-iphone-15-pro&"]').click()
  await page.locator('label.choice', { hasText: '256GB' }).click()
  for (const topic of ['power', 'screen', 'body', 'works', 'account'])
    await page.locator(`input[name=q_${topic}][value=yes]`).check()
  await page.locator('input[name=condition][value=Good]').check()
  await page.locator('main form button').click()
  await page.locator('.price').waitFor()
  const path = join(FOLDER, 'trade-in.jpg')
  await page.screenshot({ path, type: 'jpeg', quality: 86 })
  checkSize(path, MAX_BYTES)
  await page.close()
}

/** A camera that shows a box label; its barcode is cut off, and not readable, until the page calls `showWholeLabel()`. */
async function fakeCamera(page: Page): Promise<void> {
  const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))).buffer
  prepareZXingModule({ overrides: { wasmBinary: wasm as ArrayBuffer } })
  const { image, error } = await writeBarcode(SCANNED_IMEI, { format: 'Code128', scale: 4, addQuietZones: true })
  if (!image) throw new Error(error)
  const src = `data:image/png;base64,${Buffer.from(await image.arrayBuffer()).toString('base64')}`
  await page.addInitScript(
    ({ imei, barcode }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 960 })
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const label = Object.assign(new Image(), { src: barcode })
      let share = 0.8
      setInterval(() => {
        context.fillStyle = '#b9b2a6'
        context.fillRect(0, 0, canvas.width, canvas.height)
        context.fillStyle = 'white'
        context.fillRect(140, 220, 1000, 520)
        context.fillStyle = 'black'
        context.font = 'bold 52px sans-serif'
        context.fillText('iPhone 15 Pro', 210, 320)
        context.font = '44px sans-serif'
        context.fillText(`IMEI ${imei}`, 210, 680)
        if (label.width > 0)
          context.drawImage(label, 0, 0, label.width * share, label.height, 190, 370, 900 * share, 220)
      }, 50)
      Object.assign(window, { showWholeLabel: () => (share = 1) })
      navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20)
      window.print = () => window.dispatchEvent(new Event('afterprint'))
    },
    { imei: SCANNED_IMEI, barcode: src },
  )
}

/** From the scan of a box label to the receipt, on a phone. */
async function animation(from: Browser, owner: BrowserContext): Promise<void> {
  const page = await from.newPage({
    viewport: PHONE,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
    storageState: await owner.storageState(),
  })
  page.setDefaultTimeout(TIMEOUT_MS)
  const frames: Frame[] = []
  const shot = async (ms: number) => frames.push({ png: await page.screenshot({ type: 'png' }), ms })
  await fakeCamera(page)
  await page.goto(`${program.url}/dashboard/counter`)
  await page
    .getByRole('button', { name: 'Discard' })
    .click({ timeout: 2_000 })
    .catch(() => undefined)
  await page.getByRole('button', { name: 'Scan' }).waitFor()
  await shot(1_000)
  await page.getByRole('button', { name: 'Scan' }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
  await page.waitForTimeout(500)
  await shot(1_400)
  await page.evaluate(() => (window as unknown as { showWholeLabel(): void }).showWholeLabel())
  await page.waitForURL(/counter\?/)
  await page.getByRole('button', { name: '256GB' }).click()
  await settled(page)
  await shot(1_600)
  await page.getByRole('radio', { name: /Good/ }).check()
  await page.getByRole('button', { name: 'Buy and print' }).and(page.locator(':enabled')).waitFor()
  await settled(page)
  await page.getByRole('radio', { name: /Good/ }).scrollIntoViewIfNeeded()
  await shot(1_800)
  await page.getByRole('button', { name: 'Buy and print' }).click()
  await page.waitForURL(/\/dashboard\/counter$/)
  const [bought] = (await call(owner, 'GET', '/api/appraisals?limit=1')) as { appraisal_id: string }[]
  await page.goto(`${program.url}/dashboard/appraisals/${bought?.appraisal_id}`)
  await page.locator('.sheet').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.querySelector('.sheet')?.scrollIntoView({ block: 'start' }))
  await page.evaluate(() => window.scrollBy(0, -64))
  await shot(3_000)
  const path = join(FOLDER, 'purchase.png')
  writeFileSync(path, animatedPng(frames))
  checkSize(path, MAX_ANIMATION_BYTES)
}
