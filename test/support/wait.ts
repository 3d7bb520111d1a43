type Wait = {
  /** What is awaited, for the error message. */
  readonly describe: string
  /** Only a hang reaches it: a busy machine takes its time. */
  readonly limitMs?: number
  readonly everyMs?: number
}

/** Polls until `condition` returns something truthy and returns that; throws after the limit. */
export async function waitUntil<Value>(
  condition: () => Value | Promise<Value>,
  { describe, limitMs = 120_000, everyMs = 20 }: Wait,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs / 1000} s in vain for: ${describe}`)
    await Bun.sleep(everyMs)
  }
}
