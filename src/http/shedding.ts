import type { Keyring } from '../access/keyring.ts'
import type { HeldKey } from '../access/store.ts'
import { errorAnchor } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import { type Admission, OVERLOADED, SHARE_TAKEN } from './admission.ts'
import type { ApiError } from './api-error.ts'
import { bearer } from './bearer.ts'
import { newRequestId, requestIdFrom } from './request-id.ts'
import { repeatedRefusal } from './response.ts'
import type { Room } from './room.ts'
import type { Fetch } from './server.ts'

export type Shed = { readonly route: string; readonly key: HeldKey | null; readonly now: number }

export type SheddingParts = {
  readonly admission: Admission
  readonly room: Pick<Room, 'arrived' | 'isTurnLong'>
  readonly keyring: Pick<Keyring, 'findHeld'>
  /** The paths that take a body, and with it room. */
  readonly paths: readonly string[]
  readonly baseUrl: string
  /** Whether scripts of other origins may call us: they must be told so in the answer too, which the router does. */
  readonly hasOrigins: boolean
  readonly log: Pick<Log, 'warn'>
  /** Called for each that was refused here. */
  readonly shed: (refused: Shed) => void
}

const TOLD_EVERY_MS = 1_000

/**
 * Stands before the router, at the paths that take a body. Where there are three requests and room for one, two have to be
 * refused, and what a refusal costs decides how many can be served. So as little as possible is done for it: the server
 * underneath has found the path, no line in the log is written for each, and the key is looked at only where its
 * organization may be the one that has too much.
 */
export function shedding(parts: SheddingParts, serve: Fetch): Readonly<Record<string, Fetch>> {
  const { admission, room, keyring, log } = parts
  const refusalOf = (error: ApiError) => repeatedRefusal(error, `${parts.baseUrl}/docs#${errorAnchor(error.code)}`)
  const overloaded = refusalOf(OVERLOADED)
  const shareTaken = refusalOf(SHARE_TAKEN)
  let turn: Promise<void> | undefined
  let untold = 0

  /**
   * When the loop has come round. In a long turn refusals wait for that: whoever waits for an answer sends nothing, so the
   * loop cannot be kept from everything but reading and refusing.
   */
  function nextTurn(): Promise<void> {
    turn ??= new Promise<void>((called) => setImmediate(called)).then(() => {
      turn = undefined
    })
    return turn
  }

  function tell(): void {
    log.warn('requests were refused for want of room', { refused: untold })
    untold = 0
  }

  function refuse(request: Request, refused: Shed): Response | Promise<Response> {
    if (untold++ === 0) setTimeout(tell, TOLD_EVERY_MS).unref()
    parts.shed(refused)
    const sentId = request.headers.get('x-request-id')
    const facts = { id: sentId === null ? newRequestId() : requestIdFrom(sentId), now: refused.now }
    const refusal = refused.key === null ? overloaded : shareTaken
    return room.isTurnLong() ? nextTurn().then(() => refusal(facts)) : refusal(facts)
  }

  function at(route: string): Fetch {
    return (request, connection) => {
      const isTight = admission.isTight()
      room.arrived(isTight)
      if (!isTight || (parts.hasOrigins && request.headers.has('origin'))) {
        return serve(request, connection)
      }
      const now = Date.now()
      if (admission.isFull()) return refuse(request, { route, key: null, now })
      const key = keyring.findHeld(bearer(request.headers.get('authorization')) ?? '', now)
      if (!key || !admission.refusal(key.organizationId)) return serve(request, connection)
      return refuse(request, { route, key, now })
    }
  }

  return Object.fromEntries(parts.paths.map((path) => [path, at(path)]))
}
