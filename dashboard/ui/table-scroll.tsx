import type { ReactNode } from 'react'

/** Scroll area of a table. `asCards`: on phones each row becomes a card labelled by `data-label`. */
export function TableScroll({
  label,
  asCards = false,
  children,
}: {
  label: string
  asCards?: boolean
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard
    <section className={asCards ? 'scroll cards' : 'scroll'} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
