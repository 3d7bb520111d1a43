import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserTest, hasWholeChromium, newPage, PASSWORD, WHOLE_CHROMIUM, wrongIn } from '../support/browser.ts'
import { START_LIMIT_MS } from '../support/dashboard.ts'
import { filledDataDir, type RunningProgram, startProgram } from '../support/program.ts'

const certutil = Bun.which('certutil')

/** A browser of its own that trusts a certificate, as a phone does after the steps of the page. */
async function launchTrusting(certificate: string) {
  const home = mkdtempSync(join(tmpdir(), 'di-trust-'))
  const database = join(home, '.pki/nssdb')
  mkdirSync(database, { recursive: true })
  writeFileSync(join(home, 'ca.crt'), certificate)
  const run = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([certutil ?? '', '-d', `sql:${database}`, ...args])
    if (exitCode !== 0) throw new Error(stderr.toString())
  }
  run('-N', '--empty-password')
  run('-A', '-t', 'C,,', '-n', 'shop', '-i', join(home, 'ca.crt'))
  const browser = await chromium.launch({
    executablePath: WHOLE_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    env: { ...process.env, HOME: home } as Record<string, string>,
  })
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

describe.if(hasWholeChromium && certutil !== null)('a tablet in the network of the shop', () => {
  const dataDir = filledDataDir('small')
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  }, START_LIMIT_MS)
  afterAll(() => program?.stop(), START_LIMIT_MS)
  const at = (path: string) => `${program.url}${path}`
  /** Node knows constraints on addresses, as browsers do; the client of Bun does not. */
  async function accepts(url: string, ca: string): Promise<number> {
    const script = `require('node:https').get('${url}/healthz', { ca: process.env.CA }, (r) => console.log(r.statusCode))
      .on('error', () => console.log(0))`
    const client = Bun.spawn(['node', '-e', script], { env: { ...process.env, CA: ca }, stdout: 'pipe' })
    return Number(await new Response(client.stdout).text())
  }

  browserTest(
    'is allowed with a button, trusts the certificate, signs in by code, scans, and is locked out again',
    async () => {
      const { page, offences } = await newPage(program.url)
      await page.goto(at('/dashboard'))
      await page.getByLabel('Setup code').fill(readFileSync(join(dataDir, 'setup-code.txt'), 'utf8').trim())
      await page.getByLabel('Organization').fill('Corner repairs')
      await page.getByLabel('Your name').fill('Ada')
      await page.getByLabel('Email').fill('ada@shop.example')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Set up and sign in' }).click()
      await page.getByRole('navigation').first().waitFor()
      await page.goto(at('/dashboard/phone'))
      await page.getByRole('button', { name: 'Allow devices in this network' }).click()
      await page.getByText('Devices in this network are allowed').waitFor()
      expect(await wrongIn(page, 'network-access', 'phone', 'light')).toEqual([])
      expect(statSync(join(dataDir, 'network/authority-key.pem')).mode & 0o077).toBe(0)

      const certificate = await (await fetch(at('/network.crt'))).text()
      const { network } = await page.evaluate(async () => {
        const response = await fetch('/api/manage/phone', { headers: { 'X-Requested-With': 'dashboard' } })
        return (await response.json()).data
      })
      // This machine may have no network; its loopback address is in the certificate too.
      const port = new URL(network.urls[0] ?? `https://x:${Number(new URL(program.url).port) + 1}`).port
      const secure = `https://127.0.0.1:${port}`
      expect(await accepts(secure, certificate)).toBe(200)

      const { token } = await page.evaluate(async () => {
        const headers = { 'X-Requested-With': 'dashboard', 'Content-Type': 'application/json' }
        const { id: account_id } = (await (await fetch('/account/session')).json()).data.person
        const body = JSON.stringify({ account_id })
        const response = await fetch('/account/sessions', { method: 'POST', headers, body })
        return (await response.json()).data
      })
      // Links for other people lead to the network while it is on.
      const invited = await page.evaluate(async () => {
        const headers = { 'X-Requested-With': 'dashboard', 'Content-Type': 'application/json' }
        const body = JSON.stringify({ email: 'bob@shop.example', role: 'clerk' })
        return (await (await fetch('/api/manage/invitations', { method: 'POST', headers, body })).json()).data
      })
      if (network.urls[0]) expect(JSON.stringify(invited)).toContain(`${network.urls[0]}/dashboard/join#`)
      const trusting = await launchTrusting(certificate)
      const tablet = await trusting.browser.newPage()
      await tablet.goto(`${secure}/dashboard/sign-in#device=${token}`)
      await tablet.getByRole('navigation').first().waitFor()
      expect(await tablet.evaluate(() => isSecureContext)).toBe(true)
      expect(await tablet.evaluate(async () => (await navigator.serviceWorker.ready).active !== null)).toBe(true)
      const cameras = await tablet.evaluate(
        async () => (await navigator.mediaDevices.getUserMedia({ video: true })).getVideoTracks().length,
      )
      expect(cameras).toBe(1)
      const [session] = (await tablet.context().cookies(secure)).filter(({ name }) => name.endsWith('di_session'))
      expect(session).toMatchObject({ name: '__Host-di_session', secure: true, httpOnly: true })
      await page.goto(at('/dashboard/activity'))
      await page.getByText('signed in with a one-time link').first().waitFor()
      await page.goto(at('/dashboard/phone'))

      // The code signs in once.
      const second = await trusting.browser.newContext()
      const other = await second.newPage()
      await other.goto(`${secure}/dashboard/sign-in#device=${token}`)
      await other.getByRole('alert').waitFor()
      await trusting.close()

      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Allow devices in this network' }).waitFor()
      expect(await accepts(secure, certificate)).toBe(0)
      expect(offences).toEqual([])
    },
  )
})
