import type { ReactNode } from 'react'

export function Card({
  title,
  note,
  action,
  children,
}: {
  title?: ReactNode
  note?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="card">
      {title ? (
        <header className="card-head">
          <h2>{title}</h2>
          {action}
        </header>
      ) : null}
      {note ? <p className="note">{note}</p> : null}
      {children}
    </section>
  )
}
