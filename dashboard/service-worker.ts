/**
 * Offline shell of the dashboard. Pages come from the network and fall back to the cached document; files of this build come
 * from the cache. Requests for data are never intercepted, so that no cached response can pass for a current one.
 */

/** Replaced by the bundler: the name of this build and the files that its pages need. */
declare const BUILD: string
declare const FILES: readonly string[]
/** Script that the document of this build loads. */
declare const SCRIPT: string

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void }
type FetchEvent = Event & { readonly request: Request; respondWith(response: Promise<Response>): void }

const SHELL = '/dashboard'
const PREFIX = 'dashboard-'
const CACHE = PREFIX + BUILD
const files = new Set(FILES)

addEventListener('install', (event) => (event as ExtendableEvent).waitUntil(install()))
addEventListener('activate', (event) => (event as ExtendableEvent).waitUntil(deleteOldBuilds()))
addEventListener('fetch', (event) => {
  const fetchEvent = event as FetchEvent
  const { request } = fetchEvent
  if (request.method !== 'GET') return
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.mode === 'navigate') fetchEvent.respondWith(networkFirst(request))
  else if (files.has(pathname)) fetchEvent.respondWith(cacheFirst(request))
})

/** Fails if the service has been updated meanwhile: the browser then installs the worker of the new build. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  const shell = await fetch(SHELL, { cache: 'reload' })
  if (!shell.ok || !(await shell.clone().text()).includes(SCRIPT)) throw new Error('another build is being served')
  await Promise.all([cache.put(SHELL, shell), cache.addAll(FILES)])
}

/** Runs when no page of an older build is open any more. */
async function deleteOldBuilds(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.map((name) => (name.startsWith(PREFIX) && name !== CACHE ? caches.delete(name) : false)))
}

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const shell = await caches.match(SHELL, { cacheName: CACHE })
    if (shell) return shell
    throw error
  }
}

async function cacheFirst(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request)
}

export {}
