import type { Outgoing } from './outgoing.ts'
import type { Malformed, RequestHead } from './request-head.ts'

/** Who sends a request, and the rest of what they send. */
export type Sender = {
  address(): string
  /** The body, once it is there whole. Refused as a `BodyTrouble`, without reading on, when it is longer than `mostBytes`. */
  body(mostBytes: number): Promise<Uint8Array>
}

export type BodyFault = 'too large' | 'late' | 'cut short' | 'broken'

export class BodyTrouble extends Error {
  constructor(readonly fault: BodyFault) {
    super(`the body is ${fault}`)
  }
}

/** Whoever answers. Neither call throws or rejects. */
export type Reception = {
  answer(request: RequestHead, sender: Sender): Outgoing | Promise<Outgoing>
  /** What to say to bytes that are no request, or that did not become one in time. */
  refuse(what: Malformed | 'late'): Outgoing
}
