/** A keep-alive connection without the overhead of an HTTP client. */
export type LoadConnection = {
  /** Sends one request and resolves with the status of its response; 0 if there is none. No concurrent requests. */
  request(request: string): Promise<number>
}

type PendingResponse = { received: number; needed: number; status: number; resolve: (status: number) => void }

/** One connection, opened again after the other side closed it. */
function connectionTo(hostname: string, port: number) {
  let waiting: PendingResponse | undefined
  let socket: Bun.Socket | undefined

  function finish(status: number): void {
    const { resolve } = waiting ?? {}
    waiting = undefined
    resolve?.(status)
  }

  async function open(): Promise<Bun.Socket> {
    const opened: Bun.Socket = await Bun.connect({
      hostname,
      port,
      socket: {
        data(_, bytes) {
          if (!waiting) return
          waiting.received += bytes.length
          if (waiting.needed === 0) {
            const head = bytes.toString('latin1')
            const headLength = head.indexOf('\r\n\r\n') + 4
            waiting.status = Number(head.slice(9, 12))
            waiting.needed = headLength + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
            if (/\r\nconnection: close\r\n/i.test(head)) socket = undefined
          }
          if (waiting.received < waiting.needed) return
          if (!socket) opened.end()
          finish(waiting.status)
        },
        close() {
          // A closed connection already has a successor: this is not its response.
          if (socket && socket !== opened) return
          socket = undefined
          finish(0)
        },
        error() {},
      },
    })
    return opened
  }

  return {
    async ready(): Promise<void> {
      socket ??= await open()
    },
    async request(request: string): Promise<number> {
      try {
        socket ??= await open()
      } catch {
        return 0
      }
      const current = socket
      return new Promise((resolve) => {
        waiting = { received: 0, needed: 0, status: 0, resolve }
        if (current.write(request) < request.length) finish(0)
      })
    },
  }
}

export async function openConnections(url: string, count: number): Promise<LoadConnection[]> {
  const { hostname, port } = new URL(url)
  const opened: LoadConnection[] = []
  // A few at a time: the accept queue of a listener is limited.
  for (let from = 0; from < count; from += 200) {
    const batch = Array.from({ length: Math.min(200, count - from) }, () => connectionTo(hostname, Number(port)))
    await Promise.all(batch.map((connection) => connection.ready()))
    opened.push(...batch)
  }
  return opened
}
