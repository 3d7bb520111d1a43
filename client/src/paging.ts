import type { PaginationMeta } from './generated.ts'

/** One page of a list. */
export type Page<Item> = { readonly data: Item[]; readonly meta: PaginationMeta }

/** A list that was asked for: await it for its first page, or go through all of it with `for await`. */
export type PagedRequest<Item> = Promise<Page<Item>> &
  AsyncIterable<Item> & {
    /** Page by page, from the one that was asked for to the last. */
    pages(): AsyncIterable<Page<Item>>
  }

/** `read` gets a page by its number; without one, the page that the query asks for. */
export function paged<Item>(read: (page?: number) => Promise<Page<Item>>): PagedRequest<Item> {
  const first = read()
  async function* pages(): AsyncGenerator<Page<Item>> {
    let page = await first
    yield page
    while (page.meta.has_next) {
      page = await read(page.meta.page + 1)
      yield page
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const { data } of pages()) yield* data
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
