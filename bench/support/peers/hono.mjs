/** Hono put together the usual way: a middleware each for the log, the key and the limit. */
import { Hono } from 'hono'
import { bytes, findKey, headersOf, logLine, newRequestId, REFUSAL, take } from './job.mjs'

const app = new Hono()
app.use(async (c, next) => {
  const startedMs = performance.now()
  const now = Date.now()
  c.set('requestId', newRequestId())
  c.set('now', now)
  await next()
  if (c.get('key')) logLine(c.get('requestId'), c.res.status, c.get('key'), startedMs, now)
})
app.use(async (c, next) => {
  const key = findKey(c.req.header('authorization'))
  if (!key) return c.body(REFUSAL, 401)
  c.set('key', key)
  await next()
})
app.use(async (c, next) => {
  c.set('limit', take(c.get('key').id, c.get('now')))
  await next()
})
app.get('/', (c) => c.body(bytes, 200, headersOf(c.get('requestId'), c.get('limit'), c.get('now'))))

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: app.fetch })
console.log(server.port)
