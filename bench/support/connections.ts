/** Connections kept open, for load that must not wait for a client library. */
export type LoadedConnection = {
  /** Sends one request and resolves with the status of its answer. One at a time. */
  ask(request: string): Promise<number>
}

type Waiting = { received: number; needed: number; status: number; resolve: (status: number) => void }

export async function openConnections(url: string, many: number): Promise<LoadedConnection[]> {
  const { hostname, port } = new URL(url)
  const open = async (): Promise<LoadedConnection> => {
    let waiting: Waiting | undefined
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, bytes) {
          if (!waiting) return
          waiting.received += bytes.length
          if (waiting.needed === 0) {
            const head = bytes.toString('latin1')
            const headLength = head.indexOf('\r\n\r\n') + 4
            waiting.status = Number(head.slice(9, 12))
            waiting.needed = headLength + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
          }
          if (waiting.received < waiting.needed) return
          const { resolve, status } = waiting
          waiting = undefined
          resolve(status)
        },
        close() {
          waiting?.resolve(0)
          waiting = undefined
        },
        error() {},
      },
    })
    return {
      ask: (request) =>
        new Promise((resolve) => {
          waiting = { received: 0, needed: 0, status: 0, resolve }
          if (socket.write(request) < request.length) resolve(0)
        }),
    }
  }
  const opened: LoadedConnection[] = []
  // A few at a time: the queue of a listener is not endless.
  for (let at = 0; at < many; at += 200) {
    opened.push(...(await Promise.all(Array.from({ length: Math.min(200, many - at) }, open))))
  }
  return opened
}
