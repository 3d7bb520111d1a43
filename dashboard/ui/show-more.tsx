import { type ReactNode, useState } from 'react'
import { Button } from './basics.tsx'

/** The first few of many, and a button for the rest, so that a page on a phone has an end. */
export function ShowMore<T>({
  all,
  first,
  what,
  children,
}: {
  all: readonly T[]
  first: number
  /** "variants", for the button. */
  what: string
  children: (shown: readonly T[]) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  // One or two extra items are shown: the button would take as much space.
  const isFolded = !open && all.length > first + 2
  return (
    <>
      {children(isFolded ? all.slice(0, first) : all)}
      {isFolded ? (
        <p className="unfold">
          <Button onClick={() => setOpen(true)}>
            Show all {all.length} {what}
          </Button>
        </p>
      ) : null}
    </>
  )
}
