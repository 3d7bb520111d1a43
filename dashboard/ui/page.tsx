import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'

export function PageHeader({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Device Intelligence`
  }, [title])
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead ? <p className="lead">{lead}</p> : null}
      </div>
      {children ? <div className="actions">{children}</div> : null}
    </div>
  )
}

type BreadcrumbsProps = {
  label: string
  links: readonly (readonly [to: string, text: string])[]
  /** Name of this page. */
  here: string
}

export function Breadcrumbs({ label, links, here }: BreadcrumbsProps) {
  return (
    <nav className="crumbs" aria-label={label}>
      {links.map(([to, text]) => (
        <Link key={to} to={to}>
          {text}
        </Link>
      ))}
      <span aria-current="page">{here}</span>
    </nav>
  )
}

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

/** A name and its value in a `dl`. */
export function Fact({ name, note, children }: { name: ReactNode; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note ? <dd className="figure-note">{note}</dd> : null}
    </div>
  )
}
