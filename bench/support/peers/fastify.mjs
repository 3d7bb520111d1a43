/** Fastify on Node with the key, the limit and the log as hooks, and the bytes sent as they are. */
import Fastify from 'fastify'
import { bytes, findKey, headersOf, logLine, newRequestId, REFUSAL, take } from './job.mjs'

const app = Fastify({ logger: false })
app.decorateRequest('facts', null)
app.addHook('onRequest', (request, reply, done) => {
  const key = findKey(request.headers.authorization)
  if (!key) {
    reply.code(401).send(REFUSAL)
    return
  }
  const now = Date.now()
  request.facts = { startedMs: performance.now(), now, key, requestId: newRequestId(), limit: take(key.id, now) }
  done()
})
app.addHook('onResponse', (request, reply, done) => {
  const { facts } = request
  if (facts) logLine(facts.requestId, reply.statusCode, facts.key, facts.startedMs, facts.now)
  done()
})
app.get('/', (request, reply) => {
  const { requestId, limit, now } = request.facts
  reply.headers(headersOf(requestId, limit, now)).send(bytes)
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(app.server.address().port)
