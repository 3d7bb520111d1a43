/** How much of the room for work may be used at the moment, so that nobody waits long for their turn. */
export type Room = {
  /** A share of the whole: 1 while the loop keeps up. */
  share(): number
  /**
   * To be called whenever a request arrives that needs room, with whether there may be none for it: how long the loop takes
   * to come round is measured.
   */
  arrived(isTight: boolean): void
  /** Whether the present turn of the loop is a long one already. */
  isTurnLong(): boolean
}

export type RoomOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Calls a function once the loop has come round. */
  readonly nextTurn?: (called: () => void) => void
}

/** A turn of the loop that takes longer is a queue: what arrives meanwhile waits for its end. */
const LONG_TURN_MS = 10
/** What was measured is judged so often. */
const JUDGED_EVERY_MS = 100
const LESS = 0.8
const MORE = 0.04
/** Never less: a pause may have nothing to do with load, such as another program's. */
const LEAST = 0.5

/**
 * Every request waits for the turn of the loop that it arrives in, whether it is served or refused, and turns grow with
 * what is done in each. So that wait is measured. While turns are long although no more is taken on than there is room for,
 * there is less room, by a fifth ten times a second; otherwise a little more: as congestion control does on a network.
 */
export function watchRoom({ monotonicMs = () => performance.now(), nextTurn = setImmediate }: RoomOptions = {}): Room {
  let share = 1
  let begunAt: number | undefined
  let judgedAt = monotonicMs()
  let timeInTurns = 0
  let squares = 0
  let wasTight = false

  function cameRound(): void {
    const now = monotonicMs()
    const tookMs = now - (begunAt ?? now)
    begunAt = undefined
    timeInTurns += tookMs
    squares += tookMs * tookMs
    if (now - judgedAt < JUDGED_EVERY_MS) return
    // The turn that a request met with on average: long turns meet more of them than short ones.
    const usualMs = timeInTurns === 0 ? 0 : squares / timeInTurns
    const isTooMuch = wasTight && usualMs > LONG_TURN_MS
    share = isTooMuch ? Math.max(LEAST, share * LESS) : Math.min(1, share + MORE)
    judgedAt = now
    timeInTurns = 0
    squares = 0
    wasTight = false
  }

  return {
    share: () => share,
    arrived(isTight) {
      wasTight ||= isTight
      if (begunAt !== undefined) return
      begunAt = monotonicMs()
      nextTurn(cameRound)
    },
    isTurnLong: () => begunAt !== undefined && monotonicMs() - begunAt > LONG_TURN_MS,
  }
}
