/** What a team writes first: the same job, and one query of PostgreSQL for every answer. */
import { SQL } from 'bun'
import { Hono } from 'hono'
import { bytes, findKey, headersOf, logLine, newRequestId, REFUSAL, take } from './job.mjs'

const sql = new SQL(process.env.DATABASE_URL, { max: 16 })
const { data, meta } = JSON.parse(bytes)
// A price is one object, a page a list of them.
const items = [data].flat()
// A table of a thousand, of which a page is asked for.
await sql`create table things (place int primary key, body jsonb not null)`
const rows = Array.from({ length: 1_000 }, (_, place) => ({ place, body: items[place % items.length] }))
await sql`insert into things ${sql(rows)}`
await sql`analyze things`

const app = new Hono()
app.get('/', async (c) => {
  const startedMs = performance.now()
  const now = Date.now()
  const key = findKey(c.req.header('authorization'))
  if (!key) return c.body(REFUSAL, 401)
  const limit = take(key.id, now)
  const found = await sql`select body from things order by place limit ${items.length}`
  const requestId = newRequestId()
  logLine(requestId, 200, key, startedMs, now)
  const answer = { success: true, data: found.map(({ body }) => body), meta }
  return c.body(JSON.stringify(answer), 200, headersOf(requestId, limit, now))
})

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: app.fetch })
console.log(server.port)
