import { expect, test } from 'bun:test'
import { shownKeys, startProgram } from '../support/program.ts'
import { openConnection } from '../support/raw-http.ts'

test('four hundred silent connections do not keep others from being served', async () => {
  const program = await startProgram()
  const idle = Array.from({ length: 400 }, () => openConnection(program.url, (socket) => socket.write('GET /api/dev')))
  try {
    const response = await fetch(`${program.url}/api/devices?limit=1`, {
      headers: { Authorization: `Bearer ${shownKeys(program.stderr()).public}` },
    })
    expect(response.status).toBe(200)
    expect(idle.filter(({ socket }) => socket.destroyed)).toEqual([])
  } finally {
    for (const { socket } of idle) socket.destroy()
    await program.stop()
  }
})
