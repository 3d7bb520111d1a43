/**
 * A process that sends the requests it reads from stdin, one per line, and writes the responses to stdout. It runs apart
 * from the server, so that reading responses does not add to the measured iterations of its event loop.
 */
export type RequestMessage = {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
}
export type ResponseMessage = { readonly status: number; readonly bytes: number; readonly cookie: string }

for await (const line of console) {
  // The end of the input is a line too.
  if (line === '') break
  const { url, ...request } = JSON.parse(line) as RequestMessage
  const response = await fetch(url, { ...request, redirect: 'manual' })
  const bytes = (await response.arrayBuffer()).byteLength
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  console.log(JSON.stringify({ status: response.status, bytes, cookie } satisfies ResponseMessage))
}
