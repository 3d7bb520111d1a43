import { expect, test } from 'bun:test'
import { fileSlots } from './file-slots.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A file of one chunk that ends when the test says so. */
function openFile() {
  const end = Promise.withResolvers<void>()
  let wasCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes('chunk')),
    async pull(controller) {
      await end.promise
      controller.close()
    },
    cancel: () => {
      wasCancelled = true
      end.resolve()
    },
  })
  return {
    response: () => Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/csv' } })),
    end: end.resolve,
    wasCancelled: () => wasCancelled,
  }
}

function sized(atOnce: number, stalledMs?: number) {
  const slots = fileSlots({ atOnce, ...(stalledMs === undefined ? {} : { stalledMs }) })
  const begun: string[] = []
  const make = (organization: string, name: string, response: () => Promise<Response>) =>
    slots.make(organization, () => {
      begun.push(name)
      return response()
    })
  return { make, begun }
}

test('beyond the number at once a file of the same organization waits, and one of another does not', async () => {
  const { make, begun } = sized(1)
  const [first, second, other] = [openFile(), openFile(), openFile()]
  const sent = await make('a', 'first', first.response)
  const waiting = make('a', 'second', second.response)
  await make('b', 'other', other.response)
  expect(begun).toEqual(['first', 'other'])
  first.end()
  expect([sent.headers.get('Content-Type'), await sent.text()]).toEqual(['text/csv', 'chunk'])
  await waiting
  expect(begun).toEqual(['first', 'other', 'second'])
})

test('a cancelled file, one that fails and one without a body give their slot back', async () => {
  const { make, begun } = sized(1)
  const first = openFile()
  await (await make('a', 'first', first.response)).body?.cancel()
  expect(first.wasCancelled()).toBe(true)
  expect(make('a', 'second', () => Promise.reject(new Error('no file')))).rejects.toThrow('no file')
  await make('a', 'third', async () => new Response(null, { status: 204 }))
  await make('a', 'fourth', openFile().response)
  expect(begun).toEqual(['first', 'second', 'third', 'fourth'])
})

test('a file that nobody reads does not keep others waiting', async () => {
  const { make, begun } = sized(1, 1)
  const first = openFile()
  const sent = await make('a', 'first', first.response)
  await make('a', 'second', openFile().response)
  expect(begun).toEqual(['first', 'second'])
  first.end()
  expect(await sent.text()).toBe('chunk')
})
