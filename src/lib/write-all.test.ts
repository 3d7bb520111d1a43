import { expect, test } from 'bun:test'
import { writeAll } from './write-all.ts'

/** A file on a disk that accepts at most `limit` bytes per write and `room` bytes in total. */
function shortWriter(limit: number, room: number) {
  const stored: number[] = []
  const write = async (bytes: Uint8Array, offset: number, length: number, position: number | null) => {
    const bytesWritten = Math.min(limit, length, room - stored.length)
    const at = position ?? stored.length
    for (let i = 0; i < bytesWritten; i++) stored[at + i] = bytes[offset + i] as number
    return { bytesWritten, buffer: bytes }
  }
  return { stored, file: { write } as unknown as Parameters<typeof writeAll>[0] }
}

test('short writes are continued until every byte is stored, in order', async () => {
  const { stored, file } = shortWriter(3, 100)
  await writeAll(file, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  await writeAll(file, Uint8Array.of(9, 10, 11, 12), 8)
  expect(stored).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('a disk that accepts no more bytes is an error, never a short file', async () => {
  const { file } = shortWriter(3, 5)
  await expect(writeAll(file, new Uint8Array(8))).rejects.toMatchObject({ code: 'ENOSPC' })
})
