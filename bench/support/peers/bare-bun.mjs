/** Bun.serve that does nothing but send the bytes: the most its runtime can do. */
import { bytes } from './job.mjs'

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch: () => new Response(bytes, { headers: { 'content-type': 'application/json' } }),
})
console.log(server.port)
