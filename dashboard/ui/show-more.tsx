import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** Shows the first items and a button for the rest, to keep pages short on phones. */
export function ShowMore<T>({
  items,
  limit,
  noun,
  children,
}: {
  items: readonly T[]
  limit: number
  /** Plural noun for the button, such as "variants". */
  noun: string
  children: (shown: readonly T[]) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  // One or two extra items are shown: the button would take as much space.
  const isCollapsed = !open && items.length > limit + 2
  return (
    <>
      {children(isCollapsed ? items.slice(0, limit) : items)}
      {isCollapsed ? (
        <p className="unfold">
          <Button onClick={() => setOpen(true)}>
            Show all {items.length} {noun}
          </Button>
        </p>
      ) : null}
    </>
  )
}
