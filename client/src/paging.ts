import type { CursorMeta, PaginationMeta } from './generated.ts'

/** Where a page stands: by its number, or, in lists that grow while they are read, by the record to read on after. */
export type PageMeta = PaginationMeta | CursorMeta

/** One page of a list. */
export type Page<Item, Meta extends PageMeta = PaginationMeta> = { readonly data: Item[]; readonly meta: Meta }

/** A list that was asked for: await it for its first page, or go through all of it with `for await`. */
export type PagedRequest<Item, Meta extends PageMeta = PaginationMeta> = Promise<Page<Item, Meta>> &
  AsyncIterable<Item> & {
    /** Page by page, from the one that was asked for to the last. */
    pages(): AsyncIterable<Page<Item, Meta>>
  }

/** What the query for the next page has instead. */
export type Next = { readonly page: number } | { readonly after: string }

function nextOf(meta: PageMeta): Next | undefined {
  if (!meta.has_next) return undefined
  if ('page' in meta) return { page: meta.page + 1 }
  return meta.next_after === null ? undefined : { after: meta.next_after }
}

/** `read` gets the page that the query asks for, or the next one. */
export function paged<Item, Meta extends PageMeta>(
  read: (next?: Next) => Promise<Page<Item, Meta>>,
): PagedRequest<Item, Meta> {
  const first = read()
  async function* pages(): AsyncGenerator<Page<Item, Meta>> {
    let page = await first
    yield page
    for (let next = nextOf(page.meta); next; next = nextOf(page.meta)) {
      page = await read(next)
      yield page
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const { data } of pages()) yield* data
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
