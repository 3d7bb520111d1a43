import { afterAll, describe, expect } from 'bun:test'
import { browserTest, hasChromium, keepScreenshot, seriousProblems } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

describe.if(hasChromium)('webhooks in the dashboard', () => {
  const deliveries: string[] = []
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      deliveries.push(request.headers.get('webhook-id') ?? '')
      return new Response('thank you')
    },
  })
  afterAll(() => receiver.stop(true))
  const { at, newKey, signedIn } = openDashboard('Webhook test')

  browserTest('an owner adds a webhook, sees deliveries with their responses, and resends one', async () => {
    const headers = { Authorization: `Bearer ${await newKey('enterprise')}`, 'Content-Type': 'application/json' }
    const send = (path: string, body: unknown) =>
      fetch(at(path), { method: 'POST', headers, body: JSON.stringify(body) })
    const { page, offences } = await signedIn({ email: 'hooks@example.test' })
    await page.goto(at('/dashboard/webhooks'))
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${receiver.port}/hook`)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await page.getByTestId('webhook-secret').textContent()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'Done' }).click()
    expect((await send('/api/watches', { identifier: '356938035643809', reference: 'sale-1' })).status).toBe(200)
    expect((await send('/api/appraisals', { variant_id: 'apple-iphone-13-128gb-midnight' })).status).toBe(200)
    const row = page.getByRole('row', { name: /appraisal.created/ })
    await waitUntil(
      async () => {
        await page.reload()
        await page.getByRole('row', { name: /356938035643809/ }).waitFor()
        return (await row.getByText('delivered').count()) > 0
      },
      { describe: 'the delivery to be listed', everyMs: 200 },
    )
    await row.getByText('thank you').waitFor()
    await row.getByText('Show').click()
    await row.getByText('appraisal_id').first().waitFor()
    await page.getByRole('row', { name: /356938035643809/ }).waitFor()
    await keepScreenshot(page, 'webhooks')
    expect(await seriousProblems(page)).toEqual([])
    await row.getByRole('button', { name: /Replay/ }).click()
    await waitUntil(() => deliveries.length >= 2, { describe: 'the event to be sent again' })
    expect(deliveries).toEqual([deliveries[0] ?? '', deliveries[0] ?? ''])
    // Another person removes a watch first.
    const other = await send('/api/watches', { identifier: '490154203237518' })
    await page.reload()
    await page.getByRole('row', { name: /490154203237518/ }).waitFor()
    await fetch(at(`/api/watches/${(await other.json()).data.id}`), { method: 'DELETE', headers })
    await page.getByRole('button', { name: /Remove 490154203237518/ }).click()
    await page.getByRole('alert').waitFor()
    await page.reload()
    await page.getByRole('button', { name: /Remove 356938035643809/ }).click()
    await page.getByText('No watches yet').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(offences).toEqual([])
  })
})
