import { Link } from 'wouter'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState title="Page not found">
        <p>
          The address may be mistyped or belong to another organization.{' '}
          <Link to="/dashboard">Back to the overview</Link>
        </p>
      </EmptyState>
    </>
  )
}
