import { describe, expect } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { Hono } from 'hono'
import { type Bundle, buildBundle, buildServiceWorker } from '../../dashboard/bundle.ts'
import type { HttpEnv } from '../../src/http/context.ts'
import { dashboardPageRoutes } from '../../src/http/dashboard-page-routes.ts'
import { browserTest, hasChromium, hasValue, newPage } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'

/** The network between a phone and the service: it can be cut and restored. */
async function openNetwork(port: number) {
  const sockets = new Set<Socket>()
  let isUp = true
  const server = createServer((client) => {
    if (!isUp) {
      client.destroy()
      return
    }
    const service = connect(port, 'localhost')
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  return {
    url: `http://localhost:${typeof address === 'object' ? address?.port : ''}`,
    cut() {
      isUp = false
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isUp = true
    },
    close: () => server.close(),
  }
}

describe.if(hasChromium)('the installed app', () => {
  const dashboard = openDashboard('Phone shop')
  const look = { serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const

  browserTest('keeps an unfinished appraisal through a lost connection and a reload', async () => {
    const network = await openNetwork(Number(new URL(dashboard.at('/')).port))
    const { page, offences } = await dashboard.signedIn({ email: 'on-the-move@example.test', look })
    const wrong = () => offences.filter((offence) => !offence.includes(network.url))
    await page.goto(`${network.url}/dashboard/counter?text=iphone+13+128gb+midnight&grade=Good`)
    const offer = page.getByRole('complementary', { name: 'Offer' })
    const reference = offer.getByLabel('Your reference')
    await reference.fill('Shelf 4')
    await page.evaluate(() => navigator.serviceWorker.ready)

    network.cut()
    await page.getByLabel('Cracked screen').first().check()
    await page.getByText('No connection to the service. Your entries stay').waitFor()
    await page.reload()
    await page.getByText('An unfinished appraisal is kept on this device.').waitFor()
    network.restore()
    await hasValue(reference, 'Shelf 4')

    // Closed by the phone and reopened at the start page.
    await page.goto(`${network.url}/dashboard/counter`)
    await page.getByText('Unfinished appraisal').waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await hasValue(reference, 'Shelf 4')
    await offer.getByRole('button', { name: /^Save/ }).click()
    await page.waitForURL(/appraisals\/apr_/)
    await page.goto(`${network.url}/dashboard/counter`)
    await page.getByRole('combobox', { name: 'Find a device' }).waitFor()
    expect(await page.getByText('Unfinished appraisal').count()).toBe(0)
    expect(wrong()).toEqual([])
    await page.close()
    network.close()
  })

  browserTest(
    'a new build replaces the old one, online at once and offline when the old pages are closed',
    async () => {
      const build = await buildBundle()
      const version = async (name: string): Promise<Bundle> => {
        const script = `app-${name}.js`
        const files = {
          [script]: `document.getElementById('app').textContent='build ${name}'; navigator.serviceWorker.register('/dashboard/service-worker.js', { scope: '/dashboard', updateViaCache: 'none' })`,
        }
        return {
          ...build,
          script,
          style: '',
          files,
          serviceWorker: await buildServiceWorker(script, Object.keys(files)),
        }
      }
      const serve = (bundle: Bundle, port = 0) => {
        const site = new Hono<HttpEnv>()
        site.use(async (c, next) => {
          c.set('facts', { id: 'req_1' } as HttpEnv['Variables']['facts'])
          await next()
        })
        for (const { path, handle } of dashboardPageRoutes(async () => bundle)) site.get(path, (c) => handle(c))
        return Bun.serve({ port, fetch: site.fetch })
      }
      const [one, two] = [await version('one'), await version('two')]
      let server = serve(one)
      const { port } = server
      const base = `http://localhost:${port}`
      const { page } = await newPage(base, look)
      await page.goto(`${base}/dashboard`)
      await page.getByText('build one').waitFor()
      await page.evaluate(() => navigator.serviceWorker.ready)
      await server.stop(true)
      await page.reload()
      await page.getByText('build one').waitFor()

      server = serve(two, port)
      await page.reload()
      await page.getByText('build two').waitFor()
      await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
      const context = page.context()
      await page.close()
      const next = await context.newPage()
      await next.goto(`${base}/dashboard`)
      await waitUntil(async () => (await next.evaluate(() => caches.keys())).length === 1, {
        describe: 'the cache of the first build to be deleted',
      })
      await server.stop(true)
      await next.reload()
      await next.getByText('build two').waitFor()
    },
  )
})
