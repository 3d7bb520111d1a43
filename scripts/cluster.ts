/**
 * `bin/bun scripts/cluster.ts [processes]`: a cluster on one machine, from the shipped files: PostgreSQL behind PgBouncer,
 * Redis, nginx and three processes of the service. Its data is temporary. Ctrl+C ends it.
 */
import { startCluster } from '../test/support/cluster.ts'

const processes = Number(process.argv[2] ?? 3)
if (!Number.isInteger(processes) || processes < 1 || processes > 16) {
  console.error(`"${process.argv[2]}" is not a number of processes from 1 to 16.`)
  process.exit(2)
}
const cluster = await startCluster(processes)
console.log(`${cluster.url}  ${processes} processes behind nginx`)
for (const { url, pid } of cluster.programs) console.log(`  ${url}  process ${pid}`)
console.log(`\nTry it:\n  curl -H 'Authorization: Bearer ${cluster.key}' '${cluster.url}/api/devices?limit=1'`)
process.once('SIGINT', async () => {
  await cluster.stop()
  process.exit(0)
})
