import { writeSync } from 'node:fs'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/**
 * While `work` runs, Ctrl-C removes what it has written, says so and ends the program. Not for work that holds the event loop:
 * there the system ends the program at once.
 */
export async function cleaningUpOnSignal<T>(
  { cleanUp, sentence }: { readonly cleanUp: () => void; readonly sentence: string },
  work: () => Promise<T>,
): Promise<T> {
  const stop = () => {
    cleanUp()
    // Not through a stream, which may lose it at the exit.
    writeSync(2, `\n${sentence}\n`)
    process.exit(INTERRUPTED)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
