import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

/** Shows the first items and a button for the rest, to keep pages short on phones. */
export function ShowMore<T>({
  items,
  limit,
  label,
  children,
}: {
  items: readonly T[]
  limit: number
  /** Text of the button, with the number of all items. */
  label: string
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
          <Button onClick={() => setOpen(true)}>{label}</Button>
        </p>
      ) : null}
    </>
  )
}
