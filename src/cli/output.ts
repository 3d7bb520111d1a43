/** The reader closed the pipe, as `head` does. */
export class OutputClosedError extends Error {}

export type CliOutput = {
  /** Resolves when the text is handed over, so that a long result does not pile up in memory before a slow reader. */
  write(text: string): Promise<void>
  /** Resolves when everything is handed over. The program must not exit before, or the end of a result is lost. */
  flushed(): Promise<void>
}

export function openOutput(stream: NodeJS.WritableStream): CliOutput {
  let handedOver: Promise<void> = Promise.resolve()
  // A failed write is also an event; without a listener it would end the program with a stack trace.
  stream.on('error', () => {})
  return {
    write(text) {
      const writing = new Promise<void>((resolve, reject) => {
        stream.write(text, (error) =>
          error ? reject(isClosedPipe(error) ? new OutputClosedError() : error) : resolve(),
        )
      })
      handedOver = handedOver.then(() => writing)
      // Callers that do not await `write` get the error from `flushed`.
      handedOver.catch(() => {})
      return writing
    },
    flushed: () => handedOver,
  }
}

/** The second write after a closed pipe finds the stream destroyed. */
function isClosedPipe(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes((error as NodeJS.ErrnoException).code ?? '')
}
