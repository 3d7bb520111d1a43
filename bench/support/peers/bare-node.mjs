/** node:http that does nothing but send the bytes: the most its runtime can do. */
import { createServer } from 'node:http'
import { bytes } from './job.mjs'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
