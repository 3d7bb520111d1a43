/** Elysia with the whole job in one handler, the fastest way to write it. */
import { Elysia } from 'elysia'
import { bytes, findKey, headersOf, logLine, newRequestId, REFUSAL, take } from './job.mjs'

const app = new Elysia().get('/', ({ request }) => {
  const startedMs = performance.now()
  const now = Date.now()
  const key = findKey(request.headers.get('authorization'))
  if (!key) return new Response(REFUSAL, { status: 401 })
  const requestId = newRequestId()
  const response = new Response(bytes, { headers: headersOf(requestId, take(key.id, now), now) })
  logLine(requestId, 200, key, startedMs, now)
  return response
})
app.listen({ port: 0, hostname: '127.0.0.1' })
console.log(app.server.port)
