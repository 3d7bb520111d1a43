/**
 * Yields the blocks in order, each after `prepare` has resolved for it, while up to `ahead` further blocks are read and
 * prepared. `prepare` must not reject.
 */
export async function* prefetch<Block>(
  blocks: AsyncIterable<Block>,
  prepare: (block: Block) => Promise<unknown>,
  ahead: number,
): AsyncGenerator<Block> {
  const queue: { readonly block: Block; readonly ready: Promise<unknown> }[] = []
  for await (const block of blocks) {
    queue.push({ block, ready: prepare(block) })
    if (queue.length <= ahead) continue
    const first = queue.shift() as (typeof queue)[number]
    await first.ready
    yield first.block
  }
  for (const { block, ready } of queue) {
    await ready
    yield block
  }
}
