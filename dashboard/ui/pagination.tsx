import { Button } from './button.tsx'

export function Pagination({
  meta,
  onPage,
}: {
  meta: { page: number; total_pages: number; has_next: boolean; has_prev: boolean }
  onPage: (page: number) => void
}) {
  if (meta.total_pages <= 1) return null
  return (
    <nav className="pages" aria-label="Pages">
      <Button disabled={!meta.has_prev} onClick={() => onPage(meta.page - 1)}>
        Previous
      </Button>
      <span>
        Page {meta.page} of {meta.total_pages}
      </span>
      <Button disabled={!meta.has_next} onClick={() => onPage(meta.page + 1)}>
        Next
      </Button>
    </nav>
  )
}
