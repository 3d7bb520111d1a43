/**
 * Yields the blocks in order, each with what `prepare` resolved to for it, while up to `ahead` further blocks are read and
 * prepared. `prepare` must not reject.
 */
export async function* prefetch<Block, Prepared>(
  blocks: AsyncIterable<Block>,
  prepare: (block: Block) => Promise<Prepared>,
  ahead: number,
): AsyncGenerator<readonly [Block, Prepared]> {
  const queue: (readonly [Block, Promise<Prepared>])[] = []
  for await (const next of blocks) {
    queue.push([next, prepare(next)])
    if (queue.length <= ahead) continue
    const [block, prepared] = queue.shift() as (typeof queue)[number]
    yield [block, await prepared]
  }
  for (const [block, prepared] of queue) yield [block, await prepared]
}
