import { describe, expect } from 'bun:test'
import { browserTest, hasWholeChromium, joinByLink, newPage, WHOLE_CHROMIUM } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe.if(hasWholeChromium)('the installed app', () => {
  const { at, newPerson } = openDashboard('Phone with an app')

  browserTest('can be installed', async () => {
    const look = { serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const
    const { page, offences } = await newPage(at(''), look, WHOLE_CHROMIUM)
    await joinByLink(page, await newPerson({ email: 'installs@example.test' }), 'Ada')
    await page.goto(at('/dashboard/counter'))
    await page.evaluate(() => navigator.serviceWorker.ready)
    const devtools = await page.context().newCDPSession(page)
    // Test pages are incognito; nothing else may prevent the installation.
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
    expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
    expect(offences).toEqual([])
  })
})
