import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import {
  hasChromium,
  joinByLink,
  keepScreenshot,
  newLink,
  newOrganization,
  newPage,
  openBrowser,
  seriousProblems,
} from '../support/browser.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

setDefaultTimeout(180_000)

describe.if(hasChromium)('webhooks in the dashboard', () => {
  const taken: string[] = []
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      taken.push(request.headers.get('webhook-id') ?? '')
      return new Response('thank you')
    },
  })
  let program: RunningProgram
  let browser: Browser
  let organization: string
  beforeAll(async () => {
    program = await startProgram({ DATA_DIR: filledDataDir(), LOG_LEVEL: 'warn', WEBHOOK_ALLOW_PRIVATE: 'on' })
    browser = await openBrowser()
    organization = await newOrganization(program, 'Webhook test')
  })
  afterAll(async () => {
    await browser.close()
    await program.stop()
    receiver.stop(true)
  })

  test('an owner adds one, sees what was sent and what was answered, and has it sent again', async () => {
    const made = await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], program.environment)
    const headers = { Authorization: `Bearer ${made.stdout.trim()}`, 'Content-Type': 'application/json' }
    const send = (path: string, body: unknown) =>
      fetch(`${program.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { page, offences } = await newPage(browser, program.url)
    await joinByLink(page, await newLink(program, 'hooks@example.test', organization, 'owner'), 'hooks@example.test')
    await page.goto(`${program.url}/dashboard/webhooks`)
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/hook`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await page.getByTestId('webhook-secret').textContent()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect((await send('/api/watches', { identifier: '356938035643809', reference: 'sale-1' })).status).toBe(200)
    expect((await send('/api/appraisals', { variant_id: 'apple-iphone-13-128gb-midnight' })).status).toBe(200)
    for (const end = Date.now() + 10_000; taken.length === 0 && Date.now() < end; ) await Bun.sleep(50)
    await Bun.sleep(300)
    await page.reload()
    const row = page.getByRole('row', { name: /appraisal.created/ })
    await row.getByText('delivered').waitFor()
    await row.getByText('thank you').waitFor()
    await row.getByText('Show').click()
    await row.getByText('appraisal_id').first().waitFor()
    await page.getByRole('row', { name: /356938035643809/ }).waitFor()
    await keepScreenshot(page, 'webhooks')
    expect(await seriousProblems(page)).toEqual([])
    await row.getByRole('button', { name: /Replay/ }).click()
    for (const end = Date.now() + 10_000; taken.length < 2 && Date.now() < end; ) await Bun.sleep(50)
    expect(taken).toEqual([taken[0] ?? '', taken[0] ?? ''])
    await page.getByRole('button', { name: /End 356938035643809/ }).click()
    await page.getByText('Nothing is watched').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(offences).toEqual([])
  })
})
