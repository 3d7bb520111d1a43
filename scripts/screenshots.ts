/** Takes the screenshots of the README from the running program: the counter on a desktop and on a phone, light and dark. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { newDataDir, startProgram } from '../test/support/program.ts'

const FOLDER = join(import.meta.dir, '../docs/images')
const MAX_BYTES = 200_000
const VIEWS = [
  { name: 'counter', width: 1440, height: 900 },
  { name: 'counter-phone', width: 390, height: 844 },
] as const

mkdirSync(FOLDER, { recursive: true })
const dataDir = newDataDir()
const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage()
  await setUp(page)
  await openOffer(page)
  for (const { name, width, height } of VIEWS) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator('.is-stale').waitFor({ state: 'detached' })
      const path = join(FOLDER, `${name}-${colorScheme}.jpg`)
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.screenshot({ path, type: 'jpeg', quality: 88 })
      const { size } = statSync(path)
      console.log(`${path}: ${Math.round(size / 1_000)} kB`)
      if (size > MAX_BYTES) throw new Error(`${path} is larger than ${MAX_BYTES} bytes.`)
    }
  }
} finally {
  await browser.close()
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function setUp(page: Page): Promise<void> {
  await page.goto(`${program.url}/dashboard`)
  await page.getByLabel('Setup code').fill(readFileSync(join(dataDir, 'setup-code.txt'), 'utf8').trim())
  await page.getByLabel('Organization').fill('Corner shop')
  await page.getByLabel('Email').fill('owner@shop.example')
  await page.getByLabel('Password').fill('a long walk by the sea')
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await page.getByRole('heading', { name: 'Corner shop' }).waitFor()
}

async function openOffer(page: Page): Promise<void> {
  await page.goto(`${program.url}/dashboard/counter`)
  await page.getByRole('combobox', { name: 'Find a device' }).fill('iphone 15 pro 256gb blue titanium')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /Good/ }).check()
  await page.getByRole('complementary', { name: 'Offer' }).locator('.offer-amount').waitFor()
}
