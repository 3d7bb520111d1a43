import type { Socket, TCPSocketListenOptions } from 'bun'
import { type Connection, connection } from './connection.ts'
import { flat } from './outgoing.ts'
import type { Reception } from './reception.ts'

const STOP_PATIENCE_MS = 10_000
/** At a stop, answers are held until no request has come for so long … */
const QUIET_MS = 200
/** … or for as long as this. */
const MOST_HOLD_MS = 1_500
const SHUT_MS = 20
const SWEEP_EVERY_MS = 500

export type Listening = {
  readonly url: string
  /** Stops taking requests, finishes those in flight, and then resolves; gives up on stragglers after ten seconds. */
  stop(): Promise<void>
}

export function listen(
  reception: Reception,
  where: { readonly host: string; readonly port: number; readonly isShared?: boolean },
): Listening {
  const connections = new Map<Socket<unknown>, Connection>()
  let held: Promise<void> | undefined
  let lastArrival = 0
  const clock = { nowMs: 0, dateField: '' }
  const look = () => {
    clock.nowMs = performance.now()
    clock.dateField = flat(`Date: ${new Date().toUTCString()}\r\n`)
  }
  look()

  const holding: Reception = {
    answer(request, sender) {
      if (held === undefined) return reception.answer(request, sender)
      lastArrival = performance.now()
      const answer = reception.answer(request, sender)
      return held.then(() => answer)
    },
    refuse: reception.refuse,
  }
  const options: TCPSocketListenOptions<Connection> & { reusePort: boolean } = {
    hostname: where.host,
    port: where.port,
    reusePort: where.isShared ?? false,
    // A caller that closes its side after its request still gets the answer.
    allowHalfOpen: true,
    socket: {
      open(socket) {
        socket.data = connection(socket, holding, clock)
        connections.set(socket, socket.data)
      },
      data: (socket, bytes) => socket.data.data(bytes),
      drain: (socket) => socket.data.drained(),
      end: (socket) => socket.data.ended(),
      close(socket) {
        connections.delete(socket)
        socket.data.closed()
      },
      error: () => {},
    },
  }
  const server = Bun.listen(options)
  const sweeping = setInterval(() => {
    look()
    for (const one of connections.values()) one.sweep()
  }, SWEEP_EVERY_MS)

  const host = where.host.includes(':') ? `[${where.host}]` : where.host
  return {
    url: `http://${host}:${server.port}`,
    async stop() {
      // Closing the door also resets whoever has come to it and is not let in yet. So answers are held back for a
      // moment: whoever waits for one sends nothing new.
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      const from = performance.now()
      lastArrival = from
      while (performance.now() - lastArrival < QUIET_MS && performance.now() - from < MOST_HOLD_MS) await Bun.sleep(5)
      server.stop()
      // The door is shut a turn of the loop later; whoever is answered before that would come in once more.
      await Bun.sleep(SHUT_MS)
      for (const one of connections.values()) one.retire()
      release()
      const patience = performance.now() + STOP_PATIENCE_MS
      while (connections.size > 0 && performance.now() < patience) await Bun.sleep(5)
      clearInterval(sweeping)
      server.stop(true)
    },
  }
}
